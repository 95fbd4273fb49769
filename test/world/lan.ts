/** The home network of the world: nodes that announce their addresses, and that every hub of the house can reach. */
import {
  type HomeInterface,
  type MdnsListener,
  type MdnsRecord,
  NetworkBrowser,
  type NetworkBrowserDeps,
} from "@porchlight/driver-kit/network";
import type { LanDriverDeps } from "@porchlight/driver-porchlight";
import type { SimulatedNode } from "@porchlight/firmware-sim";
import type { VirtualClock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { end } from "./line.ts";
import type { WorldProcess } from "./process.ts";

const SERVICE = "_porchlight._tcp.local";
const PORT = 4000;
const LATENCY_MS = 3;
const HOME: HomeInterface = {
  name: "home",
  address: "10.0.0.1",
  isOnLink: () => true,
  place: (address) => ({ kind: "onLink", address }),
};

export class Lan {
  readonly #clock: VirtualClock;
  readonly #nodes: ReadonlyMap<string, SimulatedNode>;
  readonly #ears = new Set<MdnsListener>();
  /** What closes each line that a hub has open. */
  readonly #lines = new Map<string, Set<() => void>>();
  readonly #cutOff = new Set<string>();
  /** Who has opened a line to which node, oldest first: `HUB > NODE`. */
  readonly opened: string[] = [];

  constructor(clock: VirtualClock, nodes: readonly SimulatedNode[]) {
    this.#clock = clock;
    this.#nodes = new Map(nodes.map((node, at) => [`10.0.0.${10 + at}`, node]));
  }

  /** What a hub's driver needs to take part. */
  hear(
    process: WorldProcess,
    hub: string,
    deps: Pick<NetworkBrowserDeps, "clock" | "random" | "log">,
  ): Pick<LanDriverDeps, "on" | "admit" | "keys" | "network" | "openNode"> {
    const { clock, random, log } = deps;
    return {
      on: "10.0.0.1",
      admit: "all",
      keys: new Map(),
      network: new NetworkBrowser({
        ...{ clock, random, log },
        findInterface: () => HOME,
        open: async (_on, listener) => this.#join(process, listener),
      }),
      openNode: async ({ address }) => this.#connect(process, hub, address),
    };
  }

  /** A hub's cable is pulled: its lines go down, and it opens no other. What it has received it knows. */
  cutOff(hub: string): void {
    this.#cutOff.add(hub);
    for (const close of [...this.#linesOf(hub)]) close();
  }

  mend(hub: string): void {
    this.#cutOff.delete(hub);
  }

  #linesOf(hub: string): Set<() => void> {
    const lines = this.#lines.get(hub) ?? new Set();
    this.#lines.set(hub, lines);
    return lines;
  }

  #join(process: WorldProcess, listener: MdnsListener) {
    this.#ears.add(listener);
    process.onKill(() => this.#ears.delete(listener));
    return {
      ask: () => {
        this.#clock.timer("answer of the network", LATENCY_MS, () =>
          process.enter(() => this.#ears.has(listener) && listener.answer(this.#announcements())),
        );
      },
      [Symbol.dispose]: () => void this.#ears.delete(listener),
    };
  }

  #announcements(): MdnsRecord[] {
    return [...this.#nodes].flatMap(([address, { edgeId }]) => {
      const instance = `${edgeId}.${SERVICE}`;
      const host = `${edgeId}.local`;
      const records = [
        { name: SERVICE, type: "PTR", data: instance },
        { name: instance, type: "SRV", data: { target: host, port: PORT } },
        { name: instance, type: "TXT", data: ["v=1", `id=${edgeId}`].map((pair) => Buffer.from(pair)) },
        { name: host, type: "A", data: address },
      ];
      return records.map((record) => ({ ...record, ttl: 4500, flush: record.type !== "PTR" }));
    });
  }

  async #connect(process: WorldProcess, hub: string, address: string): Promise<ByteLink> {
    await new Promise<void>((resolve) => process.timer("connection to a node", LATENCY_MS, resolve));
    const node = this.#nodes.get(address);
    if (!node || this.#cutOff.has(hub)) throw new Error("no route to host");
    this.opened.push(`${hub} > ${node.edgeId}`);
    const lines = this.#linesOf(hub);
    let isOpen = true;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      lines.delete(close);
      process.enter(() => hubEnd.lose("closed by the other side"));
      nodeEnd.lose("closed by the hub");
    };
    const carry = async (deliver: () => void) => {
      if (!isOpen) throw new Error("the line is down");
      this.#clock.timer("home network", LATENCY_MS, () => isOpen && deliver());
    };
    const hubEnd = end((bytes) => carry(() => nodeEnd.hear(bytes)), close);
    const nodeEnd = end((bytes) => carry(() => process.enter(() => hubEnd.hear(bytes))), close);
    lines.add(close);
    process.onKill(close);
    node.attach(nodeEnd);
    return hubEnd;
  }
}
