/** The composition root: every node of a file, each on a port of its own that can be pulled and put back. */
import { type Clock, type Log, NamedError, type Random, randomInteger } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame } from "@porchlight/shared/wire";
import type { DeviceDefinition, NodeDefinition } from "./devices/definition.ts";
import type { SimulatedDevice } from "./devices/simulated-device.ts";
import { type Passing, watchedLink } from "./links/watched-link.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import type { TraceEvent } from "./node/trace.ts";

/** A plugged-in port. */
export interface Port {
  /** Where the hub finds it. */
  readonly path: string;
  /** Of a network node. */
  readonly port?: number | undefined;
  /** How a network node is announced. */
  readonly voice?: Voice | undefined;
  /** Puts bytes on its lines, as a bad cable does. */
  spoil(bytes: Uint8Array): void;
  close(): void;
}

export interface Voice {
  announce(): void;
  /** Says goodbye; the port stays. */
  withdraw(): void;
}

export interface SimulatorDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly definitions: readonly NodeDefinition[];
  /** Opens a node's port; each line into it is handed to `attach`. `port`: that of a network node, when not its file's. */
  openPort(definition: NodeDefinition, attach: (link: ByteLink) => void, port?: number): Port | Promise<Port>;
  readonly log?: Log | undefined;
  readonly trace?: ((node: SimulatedNode, event: TraceEvent) => void) | undefined;
  /** Sees all bytes on every node's line, damage included. */
  readonly watch?: ((node: SimulatedNode, passing: Passing) => void) | undefined;
}

/** A node and the port that it is on; none while it is unplugged. */
export interface RunningNode {
  readonly definition: NodeDefinition;
  readonly node: SimulatedNode;
  readonly port: Port | undefined;
}

interface Entry {
  readonly definition: NodeDefinition;
  readonly node: SimulatedNode;
  port: Port | undefined;
  /** The port that a network node had last. */
  number: number | undefined;
}

export class Simulator implements AsyncDisposable {
  readonly #deps: SimulatorDeps;
  readonly #entries: Entry[] = [];

  private constructor(deps: SimulatorDeps) {
    this.#deps = deps;
  }

  /** Boots every node and plugs it in. @throws Error when a port cannot be opened; nothing is left behind then */
  static async start(deps: SimulatorDeps): Promise<Simulator> {
    const simulator = new Simulator(deps);
    try {
      for (const definition of deps.definitions) await simulator.#begin(definition);
    } catch (failure) {
      await simulator[Symbol.asyncDispose]();
      throw failure;
    }
    return simulator;
  }

  get nodes(): readonly RunningNode[] {
    return this.#entries;
  }

  /** A node by its edgeId, its name, or the edgeId of one of its devices. @throws NamedError "Device Not Found" */
  find(reference: string): RunningNode {
    return this.#find(reference);
  }

  /** A device by its edgeId. @throws NamedError "Device Not Found" */
  device(edgeId: string): SimulatedDevice {
    return this.#find(edgeId).node.device(edgeId);
  }

  /** A device as the file defines it. @throws NamedError "Device Not Found" */
  definition(edgeId: string): DeviceDefinition {
    const found = this.#entries
      .flatMap(({ definition }) => definition.devices)
      .find((device) => device.edgeId === edgeId);
    if (!found) throw new NamedError("Device Not Found", `There is no device ${edgeId} here.`);
    return found;
  }

  /** Pulls a node's port: it vanishes at once, with its name. */
  unplug(reference: string): void {
    const entry = this.#find(reference);
    entry.port?.close();
    entry.port = undefined;
    entry.node.detach();
  }

  /** Puts it back, under the same name or number when it has one; gives its path. */
  async plug(reference: string): Promise<string> {
    const entry = this.#find(reference);
    entry.port ??= await this.#plugIn(entry, entry.number);
    return entry.port.path;
  }

  /** A network node goes to another port, and says so; gives its path. */
  async move(reference: string): Promise<string> {
    const entry = this.#find(reference);
    const before = entry.port;
    entry.port = await this.#plugIn(entry, 0);
    before?.close();
    if (entry.definition.network?.announce) entry.port.voice?.announce();
    return entry.port.path;
  }

  /** Announces a network node again, or says goodbye for it while it stays where it is. */
  say(reference: string, what: keyof Voice): void {
    this.#find(reference).port?.voice?.[what]();
  }

  /** Puts random bytes and the beginning of a frame on a node's line, as a bad cable does; gives how many. */
  disturb(reference: string, random: Random): number {
    const garbage = random.bytes(1 + randomInteger(random, 200));
    const half = encodeFrame(random.bytes(40)).subarray(0, 1 + randomInteger(random, 40));
    const bytes = Uint8Array.from([...garbage, ...half]);
    this.#find(reference).port?.spoil(bytes);
    return bytes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { node, port } of this.#entries) {
      port?.close();
      await node[Symbol.asyncDispose]();
    }
  }

  async #begin(definition: NodeDefinition): Promise<void> {
    const { clock, random, log, trace } = this.#deps;
    const node: SimulatedNode = SimulatedNode.start({
      clock,
      random,
      definition,
      log,
      trace: trace && ((event) => trace(node, event)),
    });
    const entry: Entry = { definition, node, port: undefined, number: undefined };
    this.#entries.push(entry);
    entry.port = await this.#plugIn(entry);
  }

  async #plugIn(entry: Entry, number?: number): Promise<Port> {
    const { definition, node } = entry;
    const { clock, openPort, watch } = this.#deps;
    const attach = (link: ByteLink) =>
      node.attach(watch ? watchedLink(link, clock, (passing) => watch(node, passing)) : link);
    const port = await openPort(definition, attach, number);
    entry.number = port.port;
    return port;
  }

  #find(reference: string): Entry {
    const found =
      this.#entries.find(({ definition }) => definition.edgeId === reference || definition.name === reference) ??
      this.#entries.find(({ node }) => node.devices.some(({ edgeId }) => edgeId === reference));
    if (!found) throw new NamedError("Device Not Found", `There is no node or device ${reference} here.`);
    return found;
  }
}
