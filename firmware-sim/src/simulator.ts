/** The composition root: every node of a file, each on a port of its own that can be pulled and put back. */
import { type Clock, type Log, NamedError, type Random, randomInteger } from "@porchlight/shared/kernel";
import { type ByteLink, encodeFrame } from "@porchlight/shared/wire";
import type { DeviceDefinition, NodeDefinition } from "./devices/definition.ts";
import type { SimulatedDevice } from "./devices/simulated-device.ts";
import { SimulatedNode } from "./node/simulated-node.ts";
import type { TraceEvent } from "./node/trace.ts";

/** A plugged-in port. */
export interface Port {
  /** Where the hub finds it. */
  readonly path: string;
  readonly link: ByteLink;
  close(): void;
}

export interface SimulatorDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly definitions: readonly NodeDefinition[];
  /** Opens a port, under a stable name when one is given. */
  openPort(name?: string): Port;
  readonly log?: Log | undefined;
  readonly trace?: ((node: SimulatedNode, event: TraceEvent) => void) | undefined;
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
      for (const definition of deps.definitions) simulator.#begin(definition);
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

  /** Puts it back, under the same name when it has one; gives its path. */
  plug(reference: string): string {
    const entry = this.#find(reference);
    entry.port ??= this.#plugIn(entry);
    return entry.port.path;
  }

  /** Puts random bytes and the beginning of a frame on a node's line, as a bad cable does; gives how many. */
  disturb(reference: string, random: Random): number {
    const garbage = random.bytes(1 + randomInteger(random, 200));
    const half = encodeFrame(random.bytes(40)).subarray(0, 1 + randomInteger(random, 40));
    const bytes = Uint8Array.from([...garbage, ...half]);
    // A port that is just being closed takes nothing: noise that is lost is still noise.
    this.#find(reference)
      .port?.link.write(bytes)
      .catch(() => undefined);
    return bytes.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { node, port } of this.#entries) {
      port?.close();
      await node[Symbol.asyncDispose]();
    }
  }

  #begin(definition: NodeDefinition): void {
    const { clock, random, log, trace } = this.#deps;
    const node: SimulatedNode = SimulatedNode.start({
      clock,
      random,
      definition,
      log,
      trace: trace && ((event) => trace(node, event)),
    });
    const entry: Entry = { definition, node, port: undefined };
    this.#entries.push(entry);
    entry.port = this.#plugIn(entry);
  }

  #plugIn({ definition, node }: Entry): Port {
    const port = this.#deps.openPort(definition.link);
    node.attach(port.link);
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
