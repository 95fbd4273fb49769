/** The simulator's voice on multicast DNS (RFC 6762, 6763), on one interface: says where network nodes are, and takes it back. */
import { createSocket, type Socket } from "node:dgram";
import type { Clock } from "@porchlight/shared/kernel";
import dns from "dns-packet";

export interface AnnouncedNode {
  readonly edgeId: string;
  readonly model?: string | undefined;
  readonly port: number;
  readonly tls: boolean;
}

const GROUP = "224.0.0.251";
const PORT = 5353;
const SERVICE = "_porchlight._tcp.local";
const ALL_SERVICES = "_services._dns-sd._udp.local";
/** Seconds that a record holds: those that name a host shorter than the others. RFC 6762, section 10. */
const HOST_TTL = 120;
const OTHER_TTL = 4500;
/** An announcement is said twice, ms apart. RFC 6762, section 8.3. */
const AGAIN_MS = 1000;
/** Answers of a node are this far apart at least, ms. */
const SPACING_MS = 100;

export class Announcer implements Disposable {
  readonly address: string;
  readonly #clock: Clock;
  readonly #socket: Socket;
  readonly #nodes = new Map<string, AnnouncedNode>();
  readonly #answeredAt = new Map<string, number>();
  #isOpen = true;

  private constructor(address: string, clock: Clock, socket: Socket) {
    this.address = address;
    this.#clock = clock;
    this.#socket = socket;
    socket.on("message", (bytes) => this.#heard(bytes));
    socket.on("error", () => undefined);
  }

  /** @param address IPv4 address of the interface @throws Error (SystemError) */
  static async open(address: string, clock: Clock): Promise<Announcer> {
    const socket = createSocket({ type: "udp4", reuseAddr: true });
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(PORT, () => {
        socket.removeListener("error", reject);
        resolve();
      });
    });
    socket.addMembership(GROUP, address);
    socket.setMulticastInterface(address);
    socket.setMulticastTTL(255);
    return new Announcer(address, clock, socket);
  }

  /** Says that a node is there, or that it is somewhere else now. */
  announce(node: AnnouncedNode): void {
    const before = this.#nodes.get(node.edgeId);
    if (before && instanceOf(before) !== instanceOf(node)) this.withdraw(node.edgeId);
    this.#nodes.set(node.edgeId, node);
    this.#tell(node);
    this.#clock.timer("announcement again", AGAIN_MS, () => {
      if (this.#nodes.get(node.edgeId) === node) this.#tell(node);
    });
  }

  /** Says goodbye for it. */
  withdraw(edgeId: string): void {
    const node = this.#nodes.get(edgeId);
    if (!node) return;
    this.#nodes.delete(edgeId);
    this.#send(recordsOf(node, this.address).map((record) => ({ ...record, ttl: 0 })));
  }

  /** Says nothing of it any more, not even goodbye: its cable has been pulled. */
  forget(edgeId: string): void {
    this.#nodes.delete(edgeId);
  }

  /** Says goodbye for everybody, and stops. */
  [Symbol.dispose](): void {
    for (const edgeId of [...this.#nodes.keys()]) this.withdraw(edgeId);
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // The goodbye is on its way first.
    setImmediate(() => this.#socket.close());
  }

  #heard(bytes: Buffer): void {
    let questions: readonly dns.Question[];
    try {
      const packet = dns.decode(bytes);
      questions = packet.type === "query" ? (packet.questions ?? []) : [];
    } catch {
      return;
    }
    const names = questions.slice(0, 64).map(({ name }) => name.toLowerCase());
    for (const node of this.#nodes.values()) {
      const mine = recordsOf(node, this.address).map(({ name }) => name.toLowerCase());
      if (names.some((name) => mine.includes(name))) this.#answer(node);
    }
  }

  #answer(node: AnnouncedNode): void {
    const now = this.#clock.monotonic();
    if (now - (this.#answeredAt.get(node.edgeId) ?? Number.NEGATIVE_INFINITY) < SPACING_MS) return;
    this.#tell(node);
  }

  #tell(node: AnnouncedNode): void {
    this.#answeredAt.set(node.edgeId, this.#clock.monotonic());
    this.#send(recordsOf(node, this.address));
  }

  #send(answers: dns.Answer[]): void {
    if (!this.#isOpen) return;
    const packet = dns.encode({ type: "response", flags: dns.AUTHORITATIVE_ANSWER, answers });
    this.#socket.send(packet, PORT, GROUP, () => undefined);
  }
}

/** A name that no other simulator on the machine has: hence no probing. */
function instanceOf({ edgeId, port }: AnnouncedNode): string {
  return `Porchlight ${edgeId} at ${port}.${SERVICE}`;
}

function recordsOf(node: AnnouncedNode, address: string) {
  const { edgeId, model, port, tls } = node;
  const instance = instanceOf(node);
  const host = `porchlight-${edgeId.toLowerCase()}-${port}.local`;
  const text = ["v=1", `id=${edgeId}`, ...(model ? [`mo=${model}`] : []), ...(tls ? ["tls=psk"] : [])];
  return [
    { name: ALL_SERVICES, type: "PTR", ttl: OTHER_TTL, data: SERVICE },
    { name: SERVICE, type: "PTR", ttl: OTHER_TTL, data: instance },
    { name: instance, type: "SRV", ttl: HOST_TTL, flush: true, data: { target: host, port, priority: 0, weight: 0 } },
    { name: instance, type: "TXT", ttl: OTHER_TTL, flush: true, data: text },
    { name: host, type: "A", ttl: HOST_TTL, flush: true, data: address },
  ] satisfies dns.Answer[];
}
