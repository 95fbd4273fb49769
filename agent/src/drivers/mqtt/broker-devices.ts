/**
 * The devices of one broker: those that a dialect describes, on the topics that say something of them.
 *
 * Invariants: a topic is subscribed to as long as an admitted device needs it, and before the device can come; a message that comes while
 * its device is described otherwise is read by the new description.
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

/** Most messages of a device that wait for its description. */
const MOST_HELD = 100;

export class BrokerDevices {
  readonly #deps: BrokerDevicesDeps;
  readonly #link: LinkDevices<BrokerDevice>;
  readonly #topics = new TopicUsers<BrokerDevice>();
  #described: ReadonlyMap<string, BrokerDevice> = new Map();
  /** By edgeId, what came since the device is described otherwise. */
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
    const held = [...this.#held];
    this.#held.clear();
    for (const [edgeId, messages] of held) {
      const device = this.#described.get(edgeId);
      if (device && this.#heard.has(device)) for (const message of messages) this.#hand(device, message);
    }
  }

  /** These are described otherwise, and `describe` will be called: what comes of them until then waits for it. */
  hold(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) if (!this.#held.has(edgeId)) this.#held.set(edgeId, []);
  }

  take(message: Message): void {
    for (const device of this.#topics.of(message.topic)) {
      const held = this.#held.get(device.edgeId);
      if (!held) this.#hand(device, message);
      else if (held.push(message) > MOST_HELD) {
        held.shift();
        this.#deps.counters.tooFast += 1;
      }
    }
  }

  connected(): void {
    this.#link.up();
  }

  disconnected(): void {
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
