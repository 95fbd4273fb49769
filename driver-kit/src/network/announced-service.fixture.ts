/** A service that a test announces on loopback by multicast DNS, wherever it is now. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import dns from "dns-packet";

const GROUP = "224.0.0.251";
const PORT = 5353;
const HERE = "127.0.0.1";
const TTL = 120;

export interface AnnouncedAs {
  /** `_hue._tcp` */
  readonly type: string;
  readonly instance: string;
  readonly txt: Readonly<Record<string, string>>;
}

export class AnnouncedService implements AsyncDisposable {
  readonly #as: AnnouncedAs;
  readonly #socket: Socket;
  #port: number | undefined;

  private constructor(as: AnnouncedAs, socket: Socket) {
    this.#as = as;
    this.#socket = socket;
    socket.on("message", (bytes) => this.#heard(bytes));
  }

  static async open(as: AnnouncedAs): Promise<AnnouncedService> {
    const socket = createSocket({ type: "udp4", reuseAddr: true });
    socket.bind(PORT);
    await once(socket, "listening");
    socket.addMembership(GROUP, HERE);
    socket.setMulticastInterface(HERE);
    socket.setMulticastTTL(255);
    return new AnnouncedService(as, socket);
  }

  /** It is there from now on. */
  async at(port: number): Promise<void> {
    this.#port = port;
    await this.#say(TTL);
  }

  /** It says goodbye. */
  async withdraw(): Promise<void> {
    await this.#say(0);
    this.#port = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.withdraw();
    this.#socket.close();
  }

  #heard(bytes: Buffer): void {
    let packet: dns.Packet;
    try {
      packet = dns.decode(bytes);
    } catch {
      return;
    }
    const own = [`${this.#as.type}.local`, this.#name, this.#host];
    if (packet.type === "query" && packet.questions?.some(({ name }) => own.includes(name))) void this.#say(TTL);
  }

  get #name(): string {
    return `${this.#as.instance}.${this.#as.type}.local`;
  }

  get #host(): string {
    return `${this.#as.instance.replaceAll(/[^A-Za-z0-9]/g, "")}.local`;
  }

  async #say(ttl: number): Promise<void> {
    if (this.#port === undefined) return;
    const txt = Object.entries(this.#as.txt).map(([key, value]) => `${key}=${value}`);
    const place = { port: this.#port, target: this.#host };
    const packet = dns.encode({
      type: "response",
      flags: dns.AUTHORITATIVE_ANSWER,
      answers: [
        { type: "PTR", name: `${this.#as.type}.local`, ttl, data: this.#name },
        { type: "SRV", name: this.#name, ttl, flush: true, data: place },
        { type: "TXT", name: this.#name, ttl, flush: true, data: txt },
        { type: "A", name: this.#host, ttl, flush: true, data: HERE },
      ],
    });
    await new Promise<void>((resolve) => this.#socket.send(packet, PORT, GROUP, () => resolve()));
  }
}
