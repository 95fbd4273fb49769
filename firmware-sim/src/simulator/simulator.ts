/** The composition root: every node of a file, each on its own port that can be unplugged and plugged in again. */
import { type Clock, type Log, NamedError, type Random, randomInteger } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame } from "@porchlight/shared/wire";
import { NO_FAULT } from "./device-fault.ts";
import type { DeviceDefinition, NodeDefinition } from "./devices/definition.ts";
import type { SimulatedDevice } from "./devices/simulated-device.ts";
import type { Fault, NodeFaults } from "./fault-words.ts";
import type { Passing } from "./line-damage.ts";
import { Board } from "./node/board.ts";
import type { SimulatedNode, TraceEvent } from "./node/simulated-node.ts";
import { PacedClock } from "./paced-clock.ts";

/** A plugged-in port. */
export interface Port {
  /** Path for the hub. */
  readonly path: string;
  /** TCP port of a network node. */
  readonly port?: number | undefined;
  /** The announcement of a network node. */
  readonly voice?: Voice | undefined;
  close(): void;
}

export interface Voice {
  announce(): void;
  /** Withdraws the announcement; the port stays open. */
  withdraw(): void;
}

export interface SimulatorDeps {
  readonly clock: Clock;
  /** Seed of all randomness: the same seed, files and hub produce the same bytes. */
  readonly seed: number;
  /** Seconds of the devices' lives in one second of the clock; 1 when omitted, 0 stops them. */
  readonly speed?: number | undefined;
  readonly definitions: readonly NodeDefinition[];
  /** Opens a node's port and passes each of its lines to `attach`. `port`: for a network node, when it differs from its file's. */
  openPort(definition: NodeDefinition, attach: (link: ByteLink) => void, port?: number): Port | Promise<Port>;
  readonly log?: Log | undefined;
  readonly trace?: ((node: SimulatedNode, event: TraceEvent) => void) | undefined;
  /** Called with the bytes that arrive at either end of every node's line, damage included. */
  readonly watch?: ((node: SimulatedNode, passing: Passing) => void) | undefined;
}

/** A node with its port; no port while it is unplugged. */
export interface RunningNode {
  readonly definition: NodeDefinition;
  readonly node: SimulatedNode;
  readonly board: Board;
  readonly port: Port | undefined;
}

interface Entry {
  readonly definition: NodeDefinition;
  readonly node: SimulatedNode;
  readonly board: Board;
  port: Port | undefined;
  /** The last port number of a network node. */
  number: number | undefined;
}

export class Simulator implements AsyncDisposable {
  readonly #deps: SimulatorDeps;
  readonly #life: PacedClock;
  readonly #entries: Entry[] = [];

  private constructor(deps: SimulatorDeps) {
    this.#deps = deps;
    this.#life = new PacedClock(deps.clock, deps.speed);
  }

  /** Boots every node and plugs it in. @throws Error when a port cannot be opened; all others are then closed again */
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

  /** Seed of all randomness. */
  get seed(): number {
    return this.#deps.seed;
  }

  /** The clock of the devices' lives: faster, slower, or stopped. Protocol times stay those of the hub. */
  get life(): PacedClock {
    return this.#life;
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

  /** Unplugs a node: its port and its name disappear at once. */
  unplug(reference: string): void {
    const entry = this.#find(reference);
    entry.port?.close();
    entry.port = undefined;
    entry.board.detach();
  }

  /** Plugs it in again, under the same name or number when it has one; returns its path. */
  async plug(reference: string): Promise<string> {
    const entry = this.#find(reference);
    entry.port ??= await this.#plugIn(entry, entry.number);
    return entry.port.path;
  }

  /** Moves a network node to another port and announces it; returns its path. */
  async move(reference: string): Promise<string> {
    const entry = this.#find(reference);
    const before = entry.port;
    entry.port = await this.#plugIn(entry, 0);
    before?.close();
    if (entry.definition.network?.announce) entry.port.voice?.announce();
    return entry.port.path;
  }

  /** Announces a network node again, or withdraws its announcement while the node stays reachable. */
  say(reference: string, what: keyof Voice): void {
    this.#find(reference).port?.voice?.[what]();
  }

  /** Puts random bytes and the beginning of a frame on a node's line, like a bad cable; returns their number. */
  disturb(reference: string, random: Random): number {
    const garbage = random.bytes(1 + randomInteger(random, 200));
    const half = encodeFrame(random.bytes(40)).subarray(0, 1 + randomInteger(random, 40));
    const bytes = Uint8Array.from([...garbage, ...half]);
    this.#find(reference).board.spoil(bytes);
    return bytes.length;
  }

  /** Sets or ends a fault of a device, or of its node's board and line. Returns the faults of board and line. */
  fail(reference: string, fault: Fault): NodeFaults {
    const { board, node } = this.#find(reference);
    if (fault.of === "node") board.fail(fault.name, fault.amount);
    else {
      const devices = node.devices.filter(({ edgeId }) => edgeId === reference);
      const isDeviceOfBridge = devices.length > 0 && node.edgeId !== reference;
      for (const device of devices.length > 0 ? devices : node.devices)
        node.fail(device, fault.of === "device" ? fault.fault : NO_FAULT);
      if (fault.of === "all" && !isDeviceOfBridge) board.heal();
    }
    return board.faults;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { board, port } of this.#entries) {
      port?.close();
      await board[Symbol.asyncDispose]();
    }
  }

  async #begin(definition: NodeDefinition): Promise<void> {
    const { clock, seed, log, trace, watch } = this.#deps;
    const cable = {
      pull: () => this.unplug(definition.edgeId),
      // Without a free port the node stays unplugged, and the next pull tries again.
      put: () => void this.plug(definition.edgeId).catch((failure) => log?.warn({ failure }, "no port for a node")),
    };
    const board = new Board({ clock, life: this.#life, seed, definition, log, trace, watch, cable });
    const entry: Entry = { definition, node: board.node, board, port: undefined, number: undefined };
    this.#entries.push(entry);
    entry.port = await this.#plugIn(entry);
  }

  async #plugIn(entry: Entry, number?: number): Promise<Port> {
    const port = await this.#deps.openPort(entry.definition, (link) => entry.board.attach(link), number);
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
