/** The simulator's multicast DNS announcer (RFC 6762, 6763) on one interface: announces network nodes and withdraws them. */
import { createSocket, type Socket } from "node:dgram";
import { EventEmitter } from "node:events";
import type { Clock } from "@porchlight/shared/kernel";
import Bonjour from "bonjour-service";
import dns from "dns-packet";

const GROUP = "224.0.0.251";
const PORT = 5353;
/** Maximum number of questions to examine in one packet. */
const MOST_EXAMINED = 64;

export class Announcer implements AsyncDisposable {
  readonly address: string;
  readonly #clock: Clock;
  readonly #socket: Socket;
  readonly #nodes = new Map<string, NodeAnnouncement>();
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

  /** Announces a node, or its new place. */
  announce(node: AnnouncedNode): void {
    const before = this.#nodes.get(node.edgeId);
    const now = new NodeAnnouncement(node, {
      address: this.address,
      clock: this.#clock,
      send: (packet, sent) => this.#send(packet, sent),
    });
    this.#nodes.set(node.edgeId, now);
    // Without a goodbye when the instance stays the same.
    if (before?.instance === now.instance) before.forget();
    else void before?.withdraw();
  }

  /** Withdraws a node. Resolves when the goodbye has left. */
  async withdraw(edgeId: string): Promise<void> {
    const node = this.#nodes.get(edgeId);
    this.#nodes.delete(edgeId);
    await node?.withdraw();
  }

  /** Stops announcing a node without a goodbye: its cable has been pulled. */
  forget(edgeId: string): void {
    this.#nodes.get(edgeId)?.forget();
    this.#nodes.delete(edgeId);
  }

  /** Withdraws all nodes, and stops. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#nodes.keys()].map((edgeId) => this.withdraw(edgeId)));
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.close();
  }

  #heard(bytes: Buffer): void {
    let questions: readonly dns.Question[];
    try {
      const packet = dns.decode(bytes);
      questions = packet.type === "query" ? (packet.questions ?? []) : [];
    } catch {
      return;
    }
    for (const node of this.#nodes.values()) node.asked(questions.slice(0, MOST_EXAMINED));
  }

  #send(packet: Buffer, sent: () => void): void {
    if (this.#isOpen) this.#socket.send(packet, PORT, GROUP, () => sent());
    else sent();
  }
}

export interface AnnouncedNode {
  readonly edgeId: string;
  readonly model?: string | undefined;
  readonly port: number;
  readonly tls: boolean;
}

interface NodeAnnouncementDeps {
  /** IPv4 address of the interface. */
  readonly address: string;
  readonly clock: Clock;
  /** Sends to the multicast group; calls `sent` when the packet has left or is lost. */
  readonly send: (packet: Buffer, sent: () => void) => void;
}

const TYPE = "porchlight";
const SERVICE = `_${TYPE}._tcp.local`;
const ALL_SERVICES = "_services._dns-sd._udp.local";
/** TTL of a host's address, seconds. RFC 6762, section 10. */
const HOST_TTL = 120;
/** Minimum interval between two answers of a node, ms. */
const SPACING_MS = 100;
/** Maximum number of questions to answer in one packet. */
const MOST_ANSWERED = 8;

/**
 * Announces one node and answers questions about it through bonjour-service, over a socket that corrects the packets: the library
 * cannot select the interface, sets no flush bit, and answers every question without a limit
 * (docs/adr/0024-bonjour-service-over-our-own-cache.md). Each node has its own registry, because a registry that withdraws a service
 * forgets the others of its type.
 */
export class NodeAnnouncement {
  /** A name that no other simulator on the machine uses, so no probing is necessary. */
  readonly instance: string;
  readonly #deps: NodeAnnouncementDeps;
  readonly #host: string;
  readonly #socket: NodeSocket;
  readonly #bonjour: Bonjour;
  readonly #service: InstanceType<typeof Bonjour.Service>;
  /** Time of its last packet, monotonic ms. */
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor({ edgeId, model, port, tls }: AnnouncedNode, deps: NodeAnnouncementDeps) {
    const name = `Porchlight ${edgeId} at ${port}`;
    this.instance = `${name}.${SERVICE}`;
    this.#deps = deps;
    this.#host = `porchlight-${edgeId.toLowerCase()}-${port}.local`;
    this.#socket = new NodeSocket((packet, sent) => this.#say(packet, sent));
    const over = { type: "udp4", multicast: false, bind: false, socket: this.#socket };
    // A packet that cannot be sent is lost, as UDP allows.
    this.#bonjour = new Bonjour(over, () => undefined);
    const txt = { v: "1", id: edgeId, ...(model ? { mo: model } : {}), ...(tls ? { tls: "psk" } : {}) };
    this.#service = this.#bonjour.publish({ name, type: TYPE, port, host: this.#host, txt, probe: false });
  }

  /** Answers the questions that are about the node. */
  asked(questions: readonly dns.Question[]): void {
    const own = this.#own(questions);
    if (own.length === 0 || this.#deps.clock.monotonic() - this.#sentAt < SPACING_MS) return;
    this.#socket.hear(dns.encode({ type: "query", questions: own }));
  }

  /** Sends the goodbye, and nothing after it. Resolves when it has left. */
  async withdraw(): Promise<void> {
    await new Promise<void>((resolve) => this.#service.stop(() => resolve()));
    this.#bonjour.destroy();
  }

  /** Stops at once, without a goodbye. */
  forget(): void {
    this.#bonjour.destroy();
  }

  #own(questions: readonly dns.Question[]): dns.Question[] {
    const own = new Map<string, dns.Question>();
    for (const { name, type } of questions) {
      // The library knows no loopback address, so a question about the host is answered with the SRV record, to which the address is
      // added.
      const isHost = isSame(name, this.#host);
      const question: dns.Question = isHost ? { name: this.instance, type: "SRV" } : { name, type };
      if (isHost || [SERVICE, ALL_SERVICES, this.instance].some((mine) => isSame(name, mine)))
        own.set(`${question.type} ${question.name.toLowerCase()}`, question);
    }
    return [...own.values()].slice(0, MOST_ANSWERED);
  }

  #say(packet: Buffer, sent: () => void): void {
    const { answers = [], additionals = [], ...rest } = dns.decode(packet);
    const records = [...answers, ...additionals].flatMap((record) => mended(record));
    const place = records.find(({ type }) => type === "SRV");
    const ttl = place && "ttl" in place && place.ttl === 0 ? 0 : HOST_TTL;
    if (place) records.push({ name: this.#host, type: "A", ttl, flush: true, data: this.#deps.address });
    if (records.length === 0) {
      sent();
      return;
    }
    this.#sentAt = this.#deps.clock.monotonic();
    this.#deps.send(dns.encode({ ...rest, answers: records, additionals: [] }), sent);
  }
}

/** Removes address records, which list all interfaces, and sets the flush bit on the records that only this node has. */
function mended(record: dns.Answer): dns.Answer[] {
  if (record.type === "SRV" || record.type === "TXT") return [{ ...record, flush: true }];
  // Keep the type announced: other nodes may still have it.
  return record.type === "PTR" && !(record.name === ALL_SERVICES && record.ttl === 0) ? [record] : [];
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Stands for a bound UDP socket of Node.js, as the library expects it. */
class NodeSocket extends EventEmitter {
  readonly #send: NodeAnnouncementDeps["send"];

  constructor(send: NodeAnnouncementDeps["send"]) {
    super();
    this.#send = send;
  }

  hear(packet: Buffer): void {
    this.emit("message", packet, { address: "0.0.0.0", family: "IPv4", port: 0, size: packet.length });
  }

  send(packet: Buffer, _from: number, _length: number, _port: number, _to: string, sent: () => void): void {
    this.#send(packet, sent);
  }

  close(closed: () => void): void {
    closed();
  }
}
