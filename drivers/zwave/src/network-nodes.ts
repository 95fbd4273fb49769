/**
 * The nodes of the network on one connection: built from the server's state and updated by its events.
 *
 * Invariants: a node is offered to the hub only after its interview; the controller itself is no device; the same node of the same
 * network stays the same device, also after a lost connection, unless its product has changed without a person having replaced it.
 */
import { type DeviceAddresses, derivedEdgeId, type KeptIdentities, type Work } from "@porchlight/driver-kit";
import type { Clock, Log } from "@porchlight/shared/kernel";
import { addressesOf } from "./classes/describe-node.ts";
import { metadataEvent, type NodeEvent, nodeState, notificationEvent, valueEvent } from "./open-network.ts";
import { NODE_STATUS, type NodeState, type ValueMetadata } from "./values/node-state.ts";
import { ZwaveDevice, type ZwaveDeviceDeps } from "./zwave-device.ts";
import { ZwaveNode } from "./zwave-node.ts";

export interface NodeCounters {
  /** Events that are invalid, or name an unknown node or value. */
  badEvent: number;
  /** Nodes that are invalid or exceed the limit. */
  badNode: number;
  badValue: number;
}

export interface NetworkNodesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly identities: Pick<KeptIdentities, "find" | "hasAny" | "keep">;
  readonly addresses: Pick<DeviceAddresses, "place" | "hasThing" | "forget">;
  readonly counters: NodeCounters;
  readonly device: ZwaveDeviceDeps;
}

/** What an event has changed: reachability, the description, or the set of devices. */
export type NodeChange = "none" | "standing" | "description" | "nodes";

const NOTIFICATION = 113;
/** Steps of work to parse and describe a value. */
const STEPS_OF_VALUE = 4;
/** Metadata of a value that is only reported as an event. */
const EVENT: ValueMetadata = { type: "any", readable: false, writeable: false, stateful: false };
/** Node status by event name. */
const STATUS: Readonly<Record<string, number>> = {
  "wake up": NODE_STATUS.awake,
  sleep: NODE_STATUS.asleep,
  dead: NODE_STATUS.dead,
  alive: NODE_STATUS.alive,
};

/** `RemoveNodeReason` of Z-Wave JS: a person replaces a failed device. */
const REPLACED: ReadonlySet<unknown> = new Set([3, 4]);

export class NetworkNodes {
  readonly #deps: NetworkNodesDeps;
  /** Node numbers whose device is being replaced. */
  readonly #replaced = new Set<number>();
  readonly #devices = new Map<string, ZwaveDevice>();
  #byNode = new Map<number, ZwaveDevice>();
  #homeId = "";

  constructor(deps: NetworkNodesDeps) {
    this.#deps = deps;
  }

  get all(): readonly ZwaveDevice[] {
    return [...this.#byNode.values()];
  }

  /** Interviewed devices, by edgeId. */
  get described(): ReadonlyMap<string, ZwaveDevice> {
    return new Map(
      this.all.filter(({ node }) => node.isReady || node.values.all.length > 0).map((each) => [each.edgeId, each]),
    );
  }

  /** Number of undescribed values, by command class name. */
  get leftAside(): Readonly<Record<string, number>> {
    const leftAside: Record<string, number> = {};
    for (const { node } of this.all)
      for (const [name, count] of Object.entries(node.description.leftAside))
        leftAside[name] = (leftAside[name] ?? 0) + count;
    return leftAside;
  }

  /** Stores the device's edgeId under its node, network and product, so that it keeps the first one it was announced under. */
  keepIdentity({ edgeId, node }: ZwaveDevice): void {
    const id = `${this.#homeId} ${node.id}`;
    const product = productOf(node.state);
    for (const identity of [id, ...(product === undefined ? [] : [`${id} ${product}`])])
      this.#deps.identities.keep(identity, edgeId).catch((failure: unknown) => {
        const fields = { device: edgeId, failure: String(failure) };
        this.#deps.log.error(fields, "what a device is called could not be kept");
      });
    if (product !== undefined) this.#replaced.delete(node.id);
  }

  /** Replaces all nodes of the network. */
  *replaceAll(homeId: number, nodes: readonly NodeState[]): Work {
    this.#homeId = homeId.toString(16).padStart(8, "0");
    this.#byNode = new Map();
    for (const each of nodes) {
      this.put(each);
      yield 1 + each.values.length * STEPS_OF_VALUE;
    }
    const present = new Set(this.all.map(({ edgeId }) => edgeId));
    for (const edgeId of [...this.#devices.keys()]) if (!present.has(edgeId)) this.#devices.delete(edgeId);
  }

  put(state: NodeState): void {
    if (state.isControllerNode) return;
    const { clock, addresses, device } = this.#deps;
    const edgeId = this.#edgeIdOf(state);
    const known = this.#devices.get(edgeId);
    if (known) {
      known.node.replace(state, this.#badValue);
      known.describe();
    }
    const node = () => new ZwaveNode(clock, state, addressesOf(addresses, edgeId), this.#badValue);
    const made = known ?? new ZwaveDevice(edgeId, node(), device);
    const before = this.#byNode.get(state.nodeId);
    if (before && before !== made) this.#devices.delete(before.edgeId);
    this.#devices.set(edgeId, made);
    this.#byNode.set(state.nodeId, made);
  }

  /** A node number can be reassigned, even while the hub is off; the product then distinguishes the devices. */
  #edgeIdOf(state: NodeState): string {
    const { identities } = this.#deps;
    const id = `${this.#homeId} ${state.nodeId}`;
    const product = productOf(state);
    const first = identities.find(id) ?? derivedEdgeId("zwave", this.#homeId, String(state.nodeId));
    if (product === undefined) return first;
    const own = identities.find(`${id} ${product}`);
    if (own !== undefined) return own;
    if (this.#replaced.has(state.nodeId) || !identities.hasAny(`${id} `)) return first;
    return derivedEdgeId("zwave", this.#homeId, `${state.nodeId} ${product}`);
  }

  /**
   * The node was excluded or replaced: the next node of its number is another device.
   * @param reason from the server's event
   */
  remove(nodeId: number, reason: unknown): void {
    if (REPLACED.has(reason)) this.#replaced.add(nodeId);
    const device = this.#byNode.get(nodeId);
    this.#byNode.delete(nodeId);
    if (!device) return;
    this.#devices.delete(device.edgeId);
    this.#deps.addresses.forget(device.edgeId);
  }

  /** Takes an event of a node. @returns what it has changed, and of which device */
  take(event: NodeEvent): { readonly change: NodeChange; readonly device: ZwaveDevice | undefined } {
    const device = this.#byNode.get(event.nodeId);
    if (!device) {
      this.#deps.counters.badEvent += 1;
      return { change: "none", device };
    }
    return { change: this.#take(device, event), device };
  }

  #take(device: ZwaveDevice, { event, args, nodeState: json, ccId, endpointIndex }: NodeEvent): NodeChange {
    const { node } = device;
    const status = STATUS[event];
    if (status !== undefined) {
      node.status = status;
      device.statusChanged();
      if (status !== NODE_STATUS.dead) node.heard();
      return "standing";
    }
    switch (event) {
      case "ready":
        return this.#ready(json);
      case "interview started":
        // The server drops the node's values, and sends the new ones with `ready`.
        node.isReady = false;
        return "standing";
      case "value updated":
      case "value added":
      case "value removed":
        return this.#valueChanged(device, event, args);
      case "value notification":
        return this.#valueHappened(device, args);
      case "metadata updated":
        return this.#metadataChanged(device, args);
      case "notification":
        node.heard();
        return ccId === NOTIFICATION ? this.#notified(device, endpointIndex, args) : "none";
      default:
        return "none";
    }
  }

  #ready(json: unknown): NodeChange {
    const state = nodeState(json);
    if (!state) return this.#bad();
    this.put(state);
    return "nodes";
  }

  #valueChanged(device: ZwaveDevice, event: string, args: unknown): NodeChange {
    const { node } = device;
    const change = valueEvent(args);
    if (!change) return this.#bad();
    const wasMissed = node.hasMissedWakes;
    node.heard();
    if (event === "value removed") {
      node.values.remove(change.id);
      device.take(change.id);
      return "description";
    }
    const now = this.#deps.clock.monotonic();
    if (!node.values.set(change.id, change.newValue, now)) {
      // An added value comes without metadata.
      if (!node.values.put({ ...change.id, metadata: {}, value: change.newValue })) return this.#bad();
      node.values.set(change.id, change.newValue, now);
      return "description";
    }
    device.take(change.id);
    return wasMissed ? "standing" : "none";
  }

  #valueHappened(device: ZwaveDevice, args: unknown): NodeChange {
    const happened = valueEvent(args);
    if (!happened) return this.#bad();
    const { node } = device;
    node.heard();
    device.takeNotification(happened.id, happened.value);
    // Describes a button that the interview did not find.
    if (node.values.has(happened.id)) return "none";
    const added = node.values.setMetadata(happened.id, EVENT, this.#deps.clock.monotonic());
    return added === "full" ? this.#bad() : "description";
  }

  #metadataChanged(device: ZwaveDevice, args: unknown): NodeChange {
    const changed = metadataEvent(args);
    if (!changed) return this.#bad();
    const { metadata, ...id } = changed;
    if (!metadata) return "none";
    const change = device.node.values.setMetadata(id, metadata, this.#deps.clock.monotonic());
    if (change === "full") return this.#bad();
    if (change === "other unit") device.unitChanged(id);
    return "description";
  }

  /** Values already report states; only events remain, such as unlocking by a code. */
  #notified(device: ZwaveDevice, endpoint: number, args: unknown): NodeChange {
    const notified = notificationEvent(args);
    if (!notified) return this.#bad();
    const { type, event, eventLabel } = notified;
    if (event === undefined || event === 0 || eventLabel === undefined) return "none";
    const isState = device.node.values.all.some(
      ({ id, metadata }) =>
        id.commandClass === NOTIFICATION &&
        metadata.ccSpecific?.notificationType === type &&
        Object.hasOwn(metadata.states ?? {}, String(event)),
    );
    if (!isState) device.takeWords(endpoint, eventLabel);
    return "none";
  }

  #bad(): NodeChange {
    this.#deps.counters.badEvent += 1;
    return "none";
  }

  readonly #badValue = (): void => {
    this.#deps.counters.badValue += 1;
  };
}

/** Manufacturer, type and number of the product; undefined while unknown. */
function productOf({ manufacturerId, productType, productId }: NodeState): string | undefined {
  const parts = [manufacturerId, productType, productId];
  return parts.includes(undefined) ? undefined : parts.join("-");
}
