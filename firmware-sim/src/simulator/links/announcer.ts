/** The simulator's multicast DNS announcer (RFC 6762, 6763) on one interface: announces network nodes and withdraws them. */
import { createSocket, type Socket } from "node:dgram";
import type { Clock } from "@porchlight/shared/kernel";
import dns from "dns-packet";
import { type AnnouncedNode, NodeAnnouncement } from "./announced-node.ts";

const GROUP = "224.0.0.251";
const PORT = 5353;
/** Maximum number of questions to examine in one packet. */
const MOST_QUESTIONS = 64;

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
    for (const node of this.#nodes.values()) node.asked(questions.slice(0, MOST_QUESTIONS));
  }

  #send(packet: Buffer, sent: () => void): void {
    if (this.#isOpen) this.#socket.send(packet, PORT, GROUP, () => sent());
    else sent();
  }
}
