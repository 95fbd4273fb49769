/**
 * The devices of a paired node: describes each, follows its reports, and tracks its reachability.
 *
 * Invariants: a device keeps its edgeId as long as its node is paired, even when a bridge moves it to another endpoint; two devices never
 * share an edgeId, even one after the other at the same endpoint.
 */
import type { DeviceAddresses, DriverHost, KeptIdentities } from "@porchlight/driver-kit";
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import { describeEndpoints, placedProperties } from "./mapping/describe.ts";
import {
  aboutOf,
  BRIDGED_INFORMATION,
  edgeIdOf,
  fabricEdgeId,
  type IdentityScope,
  identityOf,
  isBridge,
  type NodePart,
  type PartIdentity,
  partsOf,
} from "./mapping/identity.ts";
import { type DeviceFacts, MatterDevice } from "./matter-device.ts";
import type { MatterNode } from "./matter-network.ts";

export interface NodeDevicesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly host: Pick<DriverHost, "pushed" | "learned" | "opened">;
  readonly fabricId: string;
  readonly identities: KeptIdentities;
  /** Assigns the stored indexes to a device's endpoints. */
  readonly place: DeviceAddresses["place"];
  /** Whether a node other than `own` has a device with that edgeId. */
  readonly isTaken: (edgeId: string, own: NodeDevices) => boolean;
  /** Called when the devices or their reachability have changed. */
  readonly changed: () => void;
  readonly counters: { lateEvents: number; lostEvents: number };
}

/** Delay after the first change of a node's structure before the node is described, ms, because the change arrives in many parts. */
const SETTLE_MS = 250;

interface Own {
  readonly device: MatterDevice;
  part: NodePart;
}

/** A part of a node with its identity. */
interface IdentifiedPart {
  readonly part: NodePart;
  readonly scope: IdentityScope;
  readonly identity: PartIdentity;
}

export class NodeDevices implements Disposable {
  readonly node: MatterNode;
  readonly #deps: NodeDevicesDeps;
  readonly #forget: () => void;
  /** Devices by edgeId. */
  readonly #devices = new Map<string, Own>();
  /** Transports that the host already knows to be open. */
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
        this.settle();
        for (const { device } of this.#devices.values()) device.happened(...event);
      },
    });
    this.describe();
  }

  get devices(): readonly MatterDevice[] {
    return [...this.#devices.values()].map(({ device }) => device);
  }

  /** Name of the node, for people. */
  get name(): string {
    const root = this.node.endpoint(0);
    return (root && aboutOf({ root, isBridged: false, endpoints: [] }).name) ?? `Matter device ${this.node.nodeId}`;
  }

  /** Describes the devices from the node's current state. */
  describe(): void {
    this.#look?.cancel();
    this.#look = undefined;
    if (this.node.isConnected) {
      const seen = this.#named(this.#parts());
      for (const edgeId of [...this.#devices.keys()]) if (!seen.has(edgeId)) this.#devices.delete(edgeId);
      for (const [edgeId, each] of seen) this.#see(edgeId, each);
      this.#open();
    } else this.#opened.clear();
    this.#deps.changed();
  }

  /** Applies a pending change of structure at once, because an endpoint may now be another device. */
  settle(): void {
    if (this.#look) this.describe();
  }

  [Symbol.dispose](): void {
    this.#forget();
    this.#look?.cancel();
  }

  /** Reports each new transport to the host, so that requests for devices last seen behind it wait for them. */
  #open(): void {
    for (const { announced } of this.devices) {
      if (this.#opened.has(announced.transport)) continue;
      this.#opened.add(announced.transport);
      this.#deps.host.opened(announced.transport);
    }
  }

  #parts(): readonly IdentifiedPart[] {
    const { endpoints, nodeId } = this.node;
    const node = endpoints.get(0);
    if (!node) return [];
    const scope = { fabricId: this.#deps.fabricId, nodeId, node, isBridge: isBridge(endpoints) };
    // A part without a describable service, such as the bridge itself, is not a device.
    const parts = partsOf(endpoints).filter((part) => describeEndpoints(part.endpoints).length > 0);
    return parts.map((part) => ({ part, scope, identity: identityOf(scope, part) }));
  }

  /** Assigns edgeIds. Known parts get theirs first, so that no new part can take them. */
  #named(parts: readonly IdentifiedPart[]): ReadonlyMap<string, IdentifiedPart> {
    const found = new Map<string, IdentifiedPart>();
    const fresh: IdentifiedPart[] = [];
    for (const each of parts) {
      const edgeId = this.#keptEdgeId(each, parts);
      if (edgeId === undefined || found.has(edgeId)) fresh.push(each);
      else found.set(edgeId, each);
    }
    for (const each of fresh) {
      const own = edgeIdOf(each.scope, each.part);
      const isTaken = found.has(own) || this.#deps.isTaken(own, this);
      found.set(isTaken ? fabricEdgeId(each.scope, each.part) : own, each);
    }
    return found;
  }

  /**
   * Stored edgeId of a part: by endpoint and name; else by name alone, if no other part shares the name; else by endpoint, if no other
   * name was used there.
   */
  #keptEdgeId({ identity }: IdentifiedPart, parts: readonly IdentifiedPart[]): string | undefined {
    const { identities } = this.#deps;
    const { own, name, unnamed } = identity;
    const isAlone = parts.filter((each) => each.identity.name === name).length === 1;
    const named = name !== undefined && isAlone ? identities.find(name) : undefined;
    const before = unnamed === undefined ? undefined : identities.find(unnamed);
    const isFree = before !== undefined && identities.identitiesOf(before).length === 1;
    return identities.find(own) ?? named ?? (isFree ? before : undefined);
  }

  #see(edgeId: string, { part, identity }: IdentifiedPart): void {
    const { identities, clock, host, counters, log } = this.#deps;
    for (const each of [identity.own, identity.name ?? identity.own])
      identities.keep(each, edgeId).catch((failure: unknown) => {
        log.warn({ device: edgeId, failure: String(failure) }, "the identity of a Matter device could not be kept");
      });
    const own = this.#devices.get(edgeId);
    if (own) {
      own.part = part;
      own.device.describe(this.#facts(edgeId, part));
      return;
    }
    const deps = { clock, host, counters, node: this.node, isThere: () => this.#isThere(edgeId) };
    this.#devices.set(edgeId, { device: new MatterDevice(this.#facts(edgeId, part), deps), part });
  }

  #facts(edgeId: string, part: NodePart): DeviceFacts {
    const transport = part.isBridged ? `matter ${this.name}`.slice(0, 256) : "matter";
    const described = describeEndpoints(part.endpoints);
    const properties = part.isBridged
      ? placedProperties(edgeId, described, part.root.number, this.#deps.place)
      : described;
    return { edgeId, about: aboutOf(part), transport, properties };
  }

  /** Whether the device is reachable; a bridge reports that for each device behind it. */
  #isThere(edgeId: string): boolean {
    const part = this.#devices.get(edgeId)?.part;
    if (!this.node.isConnected || !part) return false;
    return !part.isBridged || part.root.attribute(BRIDGED_INFORMATION, "reachable") !== false;
  }

  #changed(endpoint: number, cluster: string, attributes: readonly string[]): void {
    // Reports about an endpoint concern the device that it is now.
    this.settle();
    for (const { device } of this.#devices.values()) device.changed(endpoint, cluster, attributes);
    if (cluster === BRIDGED_INFORMATION || cluster === "basicInformation") this.#describeSoon();
  }

  #describeSoon(): void {
    this.#look ??= this.#deps.clock.timer("structure of a Matter node", SETTLE_MS, () => this.describe());
  }
}
