/**
 * The devices of one broker.
 *
 * Invariants: a device is live while there is a connection, a dialect describes it, it is admitted, it is no other hub's, and its own
 * topics say that it is there; a topic is subscribed to as long as a device needs it.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";
import {
  type Admission,
  type Candidate,
  CLAIM_AGAIN_MS,
  describedServices,
  type FoundDevice,
  type SharedHost,
} from "../kit/index.ts";
import { BrokerDevice, type BrokerDeviceDeps } from "./device/broker-device.ts";
import type { Message, MqttDevice } from "./device/mqtt-device.ts";
import { TopicUsers } from "./device/topic-users.ts";

export interface BrokerDevicesDeps extends Omit<BrokerDeviceDeps, "host"> {
  readonly clock: Clock;
  readonly host: SharedHost;
  readonly admit: (candidate: Candidate) => Admission;
  /** What the broker has kept of `added` is wanted once more, also where it is subscribed to already. */
  readonly subscribe: (added: readonly string[], removed: readonly string[]) => void;
  /** Asks whose devices these are, all at once: each answer has all that wait looked at again. */
  readonly ask: (edgeIds: readonly string[]) => void;
  /** A device has come. */
  readonly arrived: (device: BrokerDevice) => void;
}

/** Devices that are seen and not had, as many as `status` names. */
const MOST_SHOWN = 50;

export class BrokerDevices {
  readonly #deps: BrokerDevicesDeps;
  readonly #devices = new Map<string, BrokerDevice>();
  readonly #topics = new TopicUsers<BrokerDevice>();
  /** What is seen and may not be had. */
  #withheld: readonly { readonly device: MqttDevice; readonly why: "awaiting" | "notAdmitted" }[] = [];
  /** By edgeId, what forgets that the host is to say when it may be offered again. */
  readonly #refused = new Map<string, () => void>();
  #again: Timer | undefined;
  #isConnected = false;

  constructor(deps: BrokerDevicesDeps) {
    this.#deps = deps;
  }

  /** Topics that devices need. */
  get topics(): string[] {
    return this.#topics.topics;
  }

  /** Whether a device needs what comes on it. */
  needs(topic: string): boolean {
    return this.#topics.of(topic).size > 0;
  }

  live(edgeId: string): BrokerDevice | undefined {
    const device = this.#devices.get(edgeId);
    return device?.isLive ? device : undefined;
  }

  /** What dialects describe now. */
  describe(described: ReadonlyMap<string, MqttDevice>): void {
    const admitted = this.#admitted(described);
    const removed = [...this.#devices.values()].filter(({ edgeId }) => !admitted.has(edgeId));
    const dropped = removed.flatMap((device) => this.#remove(device));
    const changed = [...admitted.values()].filter((device) => this.#devices.get(device.edgeId)?.described !== device);
    const added = new Set<string>();
    for (const device of changed) {
      const known = this.#devices.get(device.edgeId);
      const one = known ?? new BrokerDevice(device, this.#deps);
      if (known) this.#redescribe(known, device);
      this.#devices.set(device.edgeId, one);
      dropped.push(...this.#topics.set(one, one.topics));
      for (const topic of one.topics) added.add(topic);
    }
    const unused = dropped.filter((topic) => this.#topics.of(topic).size === 0);
    if (added.size > 0 || unused.length > 0) this.#deps.subscribe([...added], unused);
    this.#deps.ask(changed.map(({ edgeId }) => edgeId));
    for (const { edgeId } of changed) this.#consider(edgeId);
  }

  take(message: Message): void {
    for (const device of this.#topics.of(message.topic)) {
      device.take(message);
      this.#consider(device.edgeId);
    }
  }

  connected(): void {
    this.#isConnected = true;
    this.#deps.ask([...this.#devices.keys()]);
    for (const edgeId of this.#devices.keys()) this.#consider(edgeId);
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#again?.cancel();
    this.#again = undefined;
    for (const edgeId of [...this.#refused.keys()]) this.#forgetRefusal(edgeId);
    for (const device of this.#devices.values()) {
      this.#leave(device);
      device.disconnect();
    }
  }

  /** These are another hub's. */
  yield(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      const device = this.#devices.get(edgeId);
      if (!device?.isLive) continue;
      this.#leave(device);
      this.#consider(edgeId);
    }
  }

  found(): FoundDevice[] {
    return this.#withheld.map(({ device: { edgeId, about, properties }, why }) => ({
      edgeId,
      about,
      services: [...new Set(properties.map(({ address: { service } }) => service))],
      admission: why === "awaiting" ? "awaiting_admission" : "not_admitted",
    }));
  }

  status() {
    const shown = (wanted: string) =>
      this.#withheld
        .filter(({ why }) => why === wanted)
        .slice(0, MOST_SHOWN)
        .map(({ device: { edgeId, about } }) => ({ edgeId, name: about.name, model: about.model }));
    const live = [...this.#devices.values()].filter(({ isLive }) => isLive).length;
    return {
      devices: { admitted: this.#devices.size, live },
      awaitingAdmission: shown("awaiting"),
      notAdmitted: shown("notAdmitted"),
    };
  }

  #admitted(described: ReadonlyMap<string, MqttDevice>): Map<string, MqttDevice> {
    const admitted = new Map<string, MqttDevice>();
    const withheld: { device: MqttDevice; why: "awaiting" | "notAdmitted" }[] = [];
    for (const [edgeId, device] of described) {
      const { isSensitive, properties } = device;
      const why = this.#deps.admit({ edgeId, isSensitive, services: describedServices(properties) });
      if (why === "admitted") admitted.set(edgeId, device);
      else withheld.push({ device, why });
    }
    this.#withheld = withheld;
    return admitted;
  }

  #redescribe(known: BrokerDevice, device: MqttDevice): void {
    known.describe(device);
    if (known.isLive) this.#deps.host.described(known.announced);
  }

  /** Gives the topics that are not needed any more. */
  #remove(device: BrokerDevice): string[] {
    this.#forgetRefusal(device.edgeId);
    this.#leave(device);
    this.#devices.delete(device.edgeId);
    return this.#topics.set(device, new Set());
  }

  /** Lets it come or go, by what is known of it. */
  #consider(edgeId: string): void {
    const device = this.#devices.get(edgeId);
    if (!device) return;
    const isThere = this.#isConnected && device.isThere;
    if (device.isLive && !isThere) this.#leave(device);
    else if (!device.isLive && isThere) this.#arrive(device);
    else if (!isThere) this.#forgetRefusal(edgeId);
  }

  #arrive(device: BrokerDevice): void {
    const { host, arrived } = this.#deps;
    const { edgeId } = device;
    this.#forgetRefusal(edgeId);
    if (host.arrived(device.announced) === "admitted") {
      device.arrive();
      arrived(device);
      return;
    }
    this.#refused.set(
      edgeId,
      host.whenFree(edgeId, () => this.#consider(edgeId)),
    );
    this.#askAgain();
  }

  #leave(device: BrokerDevice): void {
    if (!device.isLive) return;
    device.leave();
    this.#deps.host.left(device.edgeId);
  }

  #forgetRefusal(edgeId: string): void {
    this.#refused.get(edgeId)?.();
    this.#refused.delete(edgeId);
  }

  /** Another hub may have let a device go. */
  #askAgain(): void {
    this.#again ??= this.#deps.clock.timer("devices that were refused", CLAIM_AGAIN_MS, () => {
      this.#again = undefined;
      for (const edgeId of [...this.#refused.keys()]) this.#consider(edgeId);
    });
  }
}
