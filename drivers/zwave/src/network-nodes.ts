/**
 * The nodes of the network on one connection: made of the server's state, and kept up to date by its events.
 *
 * Invariants: a node is offered to the hub only once it was interviewed; the controller itself is no device; the same node of the same
 * network is the same device, also after the connection was lost, unless it is another product now, and no person has replaced it.
 */
import { type DeviceAddresses, derivedEdgeId, type KeptIdentities, type Work } from "@porchlight/driver-kit";
import type { Clock, Log } from "@porchlight/shared/kernel";
import { addressesOf } from "./description/describe-node.ts";
import { ZwaveDevice, type ZwaveDeviceDeps } from "./device/zwave-device.ts";
import { ZwaveNode } from "./device/zwave-node.ts";
import { metadataEvent, type NodeEvent, nodeState, notificationEvent, valueEvent } from "./network-state.ts";
import { NODE_STATUS, type NodeState, type ValueMetadata } from "./values/node-state.ts";

export interface NodeCounters {
  /** Events that make no sense, or name a node or value that there is not. */
  badEvent: number;
  /** Nodes that make no sense, or have no room. */
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

/** What an event has changed: whether the device can be reached, what it is made of, or which devices there are. */
export type NodeChange = "none" | "standing" | "description" | "nodes";

const NOTIFICATION = 113;
/** To parse and describe it. */
const STEPS_OF_VALUE = 4;
/** What a value is that is only reported as it happens. */
const EVENT: ValueMetadata = { type: "any", readable: false, writeable: false, stateful: false };
/** Status by the name of its event. */
const STATUS: Readonly<Record<string, number>> = {
  "wake up": NODE_STATUS.awake,
  sleep: NODE_STATUS.asleep,
  dead: NODE_STATUS.dead,
  alive: NODE_STATUS.alive,
};

/** `RemoveNodeReason` of Z-Wave JS: a person puts another device in the place of one that has failed. */
const REPLACED: ReadonlySet<unknown> = new Set([3, 4]);

export class NetworkNodes {
  readonly #deps: NetworkNodesDeps;
  /** Numbers of nodes in whose place another one is to come. */
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

  /** Those that were interviewed, by edgeId. */
  get described(): ReadonlyMap<string, ZwaveDevice> {
    return new Map(
      this.all.filter(({ node }) => node.isReady || node.values.all.length > 0).map((each) => [each.edgeId, each]),
    );
  }

  /** Names of command classes with values that are not described, each with how many. */
  get leftAside(): Readonly<Record<string, number>> {
    const leftAside: Record<string, number> = {};
    for (const { node } of this.all)
      for (const [name, count] of Object.entries(node.description.leftAside))
        leftAside[name] = (leftAside[name] ?? 0) + count;
    return leftAside;
  }

  /** A device is known by its node in its network, and its product: it keeps the edgeId that it was first announced under. */
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

  /** All nodes of a network, read anew. */
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

  /** The number of a node can be given to another device, also while the hub is off: then its product tells the two apart. */
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
   * The node was excluded, or another one replaces it: what has its number next is another device.
   * @param reason as the server says it
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
        // The server forgets its values, and says `ready` with the new ones.
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
      // A value that was not there before comes without what it is.
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
    // A button that the interview has not found is described from now on.
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

  /** States are told by their values; what is left are events, such as an unlocking by a code. */
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

/** Maker, type and number of the product; undefined while the node has not said them. */
function productOf({ manufacturerId, productType, productId }: NodeState): string | undefined {
  const parts = [manufacturerId, productType, productId];
  return parts.includes(undefined) ? undefined : parts.join("-");
}
