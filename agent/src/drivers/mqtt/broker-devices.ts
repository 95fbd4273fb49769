/**
 * The devices of one broker: those that a dialect describes, on the topics that say something of them.
 *
 * Invariants: a topic is subscribed to as long as an admitted device needs it, and before the device can come; a message that comes while
 * its device is described otherwise is read by the new description, and by the device that has its topic then.
 */
import { LinkDevices, type LinkDevicesDeps } from "../kit/index.ts";
import { BrokerDevice, type BrokerDeviceDeps } from "./device/broker-device.ts";
import type { Message, MqttDevice } from "./device/mqtt-device.ts";
import { TopicUsers } from "./device/topic-users.ts";

export interface BrokerDevicesDeps
  extends Omit<BrokerDeviceDeps, "host">,
    Pick<LinkDevicesDeps, "host" | "admit" | "ask"> {
  /** The device is admitted, as it is described now: called before it can be announced so. */
  readonly admitted: (device: MqttDevice) => void;
  /** What the broker has kept of `added` is wanted once more, also where it is subscribed to already. */
  readonly subscribe: (added: readonly string[], removed: readonly string[]) => void;
}

/** Most messages of a topic that wait for a description. */
const MOST_HELD = 100;

export class BrokerDevices {
  readonly #deps: BrokerDevicesDeps;
  readonly #link: LinkDevices<BrokerDevice>;
  readonly #topics = new TopicUsers<BrokerDevice>();
  #described: ReadonlyMap<string, BrokerDevice> = new Map();
  /** Devices that are described otherwise, by edgeId. */
  readonly #awaited = new Set<string>();
  /** What came since on topics of these: which device says it is known when they are described. By topic, in the order of the first messages. */
  readonly #held = new Map<string, Message[]>();
  /** Admitted devices, each with the description whose topics are subscribed to. */
  readonly #heard = new Map<BrokerDevice, MqttDevice>();

  constructor(deps: BrokerDevicesDeps) {
    this.#deps = deps;
    this.#link = new LinkDevices({ ...deps, admitted: (edgeIds) => this.#hear(edgeIds) });
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
    return this.#link.live(edgeId);
  }

  /** What dialects describe now. */
  describe(described: ReadonlyMap<string, MqttDevice>): void {
    const devices = [...described].map(([edgeId, device]) => {
      const known = this.#described.get(edgeId);
      if (known && known.described !== device) known.describe(device);
      return [edgeId, known ?? new BrokerDevice(device, this.#deps)] as const;
    });
    this.#described = new Map(devices);
    this.#link.see(this.#described);
    this.#awaited.clear();
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const message of held.flat()) this.take(message);
  }

  /** These are described otherwise, and `describe` will be called: what comes on their topics until then waits for it. */
  hold(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) this.#awaited.add(edgeId);
  }

  take(message: Message): void {
    const devices = [...this.#topics.of(message.topic)];
    if (!devices.some(({ edgeId }) => this.#awaited.has(edgeId))) {
      for (const device of devices) this.#hand(device, message);
      return;
    }
    const held = this.#held.get(message.topic) ?? [];
    this.#held.set(message.topic, held);
    if (held.push(message) > MOST_HELD) {
      held.shift();
      this.#deps.counters.tooFast += 1;
    }
  }

  connected(): void {
    this.#link.up();
  }

  disconnected(): void {
    this.#awaited.clear();
    this.#held.clear();
    this.#link.down();
    for (const device of this.#heard.keys()) device.disconnect();
  }

  /** These are another hub's. */
  yield(edgeIds: readonly string[]): void {
    this.#link.yield(edgeIds);
  }

  found() {
    return this.#link.found();
  }

  status() {
    return this.#link.status();
  }

  #hand(device: BrokerDevice, message: Message): void {
    device.take(message);
    this.#link.consider(device.edgeId);
  }

  /** Subscribes to what admitted devices need, and to no more. */
  #hear(edgeIds: ReadonlySet<string>): void {
    const admitted = new Map([...this.#described].filter(([edgeId]) => edgeIds.has(edgeId)));
    const dropped: string[] = [];
    for (const device of [...this.#heard.keys()]) {
      if (admitted.get(device.edgeId) === device) continue;
      this.#heard.delete(device);
      device.disconnect();
      dropped.push(...this.#topics.set(device, new Set()));
    }
    const added = new Set<string>();
    for (const device of admitted.values()) {
      if (this.#heard.get(device) === device.described) continue;
      this.#heard.set(device, device.described);
      this.#deps.admitted(device.described);
      dropped.push(...this.#topics.set(device, device.topics));
      for (const topic of device.topics) added.add(topic);
    }
    const unused = dropped.filter((topic) => !this.needs(topic));
    if (added.size > 0 || unused.length > 0) this.#deps.subscribe([...added], unused);
  }
}
