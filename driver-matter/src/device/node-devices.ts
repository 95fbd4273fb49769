/**
 * A paired node and the devices that it is: each described, heard, and there while it can be reached.
 *
 * Invariants: a device keeps its edgeId for as long as its node is paired; two devices never have the same.
 */
import type { DeviceAddresses, DriverHost, KeptIdentities } from "@porchlight/agent/drivers/kit/index.ts";
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import { describeEndpoints } from "../mapping/describe.ts";
import { aboutOf, edgeIdOf, fabricEdgeId, type IdentityScope, identityOf } from "../mapping/identity.ts";
import { BRIDGED_INFORMATION, isBridge, type NodePart, partsOf } from "../mapping/node-parts.ts";
import { placedProperties } from "../mapping/place.ts";
import type { MatterNode } from "../network/matter-network.ts";
import { type DeviceFacts, MatterDevice } from "./matter-device.ts";

export interface NodeDevicesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: Pick<DriverHost, "pushed" | "learned" | "opened">;
  readonly fabricId: string;
  readonly identities: KeptIdentities;
  /** Gives the endpoints of a device the indexes that they keep. */
  readonly place: DeviceAddresses["place"];
  /** Whether another node has a device of that edgeId. */
  readonly isTaken: (edgeId: string) => boolean;
  /** Its devices are others than before, or are there or gone. */
  readonly changed: () => void;
  readonly counters: { lateEvents: number; lostEvents: number };
}

/** A node tells of a change of its structure in many parts: so long after the first it is looked at as a whole, ms. */
const SETTLE_MS = 250;

interface Own {
  readonly device: MatterDevice;
  part: NodePart;
}

export class NodeDevices implements Disposable {
  readonly node: MatterNode;
  readonly #deps: NodeDevicesDeps;
  readonly #forget: () => void;
  /** By what each is known by in its protocol. */
  readonly #devices = new Map<string, Own>();
  /** Ways to its devices that the host knows to be open. */
  readonly #opened = new Set<string>();
  #look: Timer | undefined;

  constructor(node: MatterNode, deps: NodeDevicesDeps) {
    this.node = node;
    this.#deps = deps;
    this.#forget = node.listen({
      connection: () => this.describe(),
      restructured: () => this.#describeSoon(),
      changed: (endpoint, cluster, attributes) => this.#changed(endpoint, cluster, attributes),
      happened: (...event) => {
        for (const { device } of this.#devices.values()) device.happened(...event);
      },
    });
    this.describe();
  }

  get devices(): readonly MatterDevice[] {
    return [...this.#devices.values()].map(({ device }) => device);
  }

  /** What it calls itself, for people. */
  get name(): string {
    const root = this.node.endpoint(0);
    return (root && aboutOf({ root, isBridged: false, endpoints: [] }).name) ?? `Matter device ${this.node.nodeId}`;
  }

  /** Looks at all that the node says of itself now. */
  describe(): void {
    this.#look?.cancel();
    this.#look = undefined;
    if (this.node.isConnected) {
      const seen = new Set(this.#parts().map(([identity, part, scope]) => this.#see(identity, part, scope)));
      for (const identity of [...this.#devices.keys()]) if (!seen.has(identity)) this.#devices.delete(identity);
      this.#open();
    } else this.#opened.clear();
    this.#deps.changed();
  }

  [Symbol.dispose](): void {
    this.#forget();
    this.#look?.cancel();
  }

  /** Who asks for a device that was last behind it waits for the device. */
  #open(): void {
    for (const { announced } of this.devices) {
      if (this.#opened.has(announced.transport)) continue;
      this.#opened.add(announced.transport);
      this.#deps.host.opened(announced.transport);
    }
  }

  #parts(): [string, NodePart, IdentityScope][] {
    const { endpoints, nodeId } = this.node;
    const node = endpoints.get(0);
    if (!node) return [];
    const scope = { fabricId: this.#deps.fabricId, nodeId, node, isBridge: isBridge(endpoints) };
    // What has nothing that we have a service for, such as a bridge itself, is no device.
    const parts = partsOf(endpoints).filter((part) => describeEndpoints(part.endpoints).length > 0);
    return parts.map((part) => [identityOf(scope, part), part, scope]);
  }

  #see(identity: string, part: NodePart, scope: IdentityScope): string {
    const own = this.#devices.get(identity);
    if (own) {
      own.part = part;
      own.device.describe(this.#facts(own.device.edgeId, part));
      return identity;
    }
    const { identities, clock, host, counters, log } = this.#deps;
    const now = edgeIdOf(scope, part);
    const edgeId = identities.edgeIdOf(identity, this.#isTaken(now) ? fabricEdgeId(scope, part) : now);
    identities.keep(identity, edgeId).catch((failure: unknown) => {
      log.warn({ device: edgeId, failure: String(failure) }, "the identity of a Matter device could not be kept");
    });
    const deps = { clock, host, counters, node: this.node, isThere: () => this.#isThere(identity) };
    this.#devices.set(identity, { device: new MatterDevice(this.#facts(edgeId, part), deps), part });
    return identity;
  }

  #isTaken(edgeId: string): boolean {
    return this.#deps.isTaken(edgeId) || this.devices.some((device) => device.edgeId === edgeId);
  }

  #facts(edgeId: string, part: NodePart): DeviceFacts {
    const transport = part.isBridged ? `matter ${this.name}`.slice(0, 256) : "matter";
    const described = describeEndpoints(part.endpoints);
    const properties = part.isBridged ? placedProperties(edgeId, described, this.#deps.place) : described;
    return { edgeId, about: aboutOf(part), transport, properties };
  }

  /** A bridge knows of each device behind it whether it can be reached. */
  #isThere(identity: string): boolean {
    const part = this.#devices.get(identity)?.part;
    if (!this.node.isConnected || !part) return false;
    return !part.isBridged || part.root.attribute(BRIDGED_INFORMATION, "reachable") !== false;
  }

  #changed(endpoint: number, cluster: string, attributes: readonly string[]): void {
    for (const { device } of this.#devices.values()) device.changed(endpoint, cluster, attributes);
    if (cluster === BRIDGED_INFORMATION || cluster === "basicInformation") this.#describeSoon();
  }

  #describeSoon(): void {
    this.#look ??= this.#deps.clock.timer("structure of a Matter node", SETTLE_MS, () => this.describe());
  }
}
