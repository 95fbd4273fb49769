/**
 * The devices of one broker that its dialects describe, and the topics that they need.
 *
 * Invariants: a topic is subscribed to as long as an admitted device needs it, and before the device arrives; a message that comes while
 * its device's description changes is read by the new description, and by the device that has its topic then.
 */
import { LinkDevices, type LinkDevicesDeps, type Work } from "@porchlight/driver-kit";
import { BrokerDevice, type BrokerDeviceDeps, madeDevice } from "./device/broker-device.ts";
import type { Message, MqttDevice } from "./device/mqtt-device.ts";

interface BrokerDevicesDeps extends Omit<BrokerDeviceDeps, "host">, Pick<LinkDevicesDeps, "host" | "admit" | "ask"> {
  /** The path to the devices of this broker, for people. */
  readonly transport: string;
  /** The device is admitted with its current description: called before it can be announced with it. */
  readonly admitted: (device: MqttDevice) => void;
  /** Subscribes and unsubscribes. The retained messages of `added` are needed again, also where the topic is subscribed to already. */
  readonly subscribe: (added: readonly string[], removed: readonly string[]) => void;
}

/** Maximum number of devices whose descriptions change in one turn of the loop. */
const AT_ONCE = 100;
/** Maximum number of messages of a topic that wait for a description. */
const MOST_HELD = 100;

export class BrokerDevices {
  readonly #deps: BrokerDevicesDeps;
  readonly #link: LinkDevices<BrokerDevice>;
  readonly #topics = new TopicUsers<BrokerDevice>();
  #described: ReadonlyMap<string, BrokerDevice> = new Map();
  /** edgeIds of devices whose descriptions have changed. */
  #awaited = new Set<string>();
  /**
   * Messages that came since then on the topics of these devices, by topic, in the order of the first messages: the new descriptions
   * decide which device a message belongs to.
   */
  readonly #held = new Map<string, Message[]>();
  /** Devices whose descriptions have changed since the current look began. */
  readonly #heldAnew = new Set<string>();
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

  /** Whether a device needs the messages of the topic. */
  needs(topic: string): boolean {
    return this.#topics.of(topic).size > 0;
  }

  live(edgeId: string): BrokerDevice | undefined {
    return this.#link.live(edgeId);
  }

  /**
   * Takes over the dialects' current descriptions: they are made in slices, and applied in groups, each together with its decision on
   * admission.
   */
  *describe(described: ReadonlyMap<string, MqttDevice>): Work {
    const changes: (() => void)[] = [];
    const devices = new Map<string, BrokerDevice>();
    for (const [edgeId, device] of described) {
      const known = this.#described.get(edgeId);
      if (known?.described === device) {
        devices.set(edgeId, known);
        continue;
      }
      const made = madeDevice(device, this.#deps.transport);
      if (known) changes.push(() => known.describe(made));
      devices.set(edgeId, known ?? new BrokerDevice(made, this.#deps));
      yield 5 + 2 * device.properties.length;
    }
    while (changes.length > AT_ONCE) {
      for (const change of changes.splice(0, AT_ONCE)) change();
      yield* this.#link.seeInTurns(this.#described);
    }
    for (const change of changes) change();
    this.#described = devices;
    yield* this.#link.seeInTurns(devices);
    // Devices whose descriptions changed during the look wait for the next one.
    this.#awaited = new Set(this.#heldAnew);
    yield* this.#release();
  }

  /** The descriptions of these devices have changed, and `describe` will be called: messages on their topics wait until then. */
  hold(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      this.#awaited.add(edgeId);
      this.#heldAnew.add(edgeId);
    }
  }

  /**
   * A look at all descriptions begins: descriptions that change from now on, and messages that are held for them, belong to the next
   * look.
   */
  beginLook(): void {
    this.#heldAnew.clear();
  }

  *take(message: Message): Work {
    const { topic } = message;
    const before = this.#held.get(topic);
    // Messages of the topic that are still held go first.
    if (!before && !this.#isAwaited(topic)) {
      yield* this.#handOn(message);
      return;
    }
    const held = before ?? [];
    this.#held.set(topic, held);
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
    this.#heldAnew.clear();
    this.#link.down();
    for (const device of this.#heard.keys()) device.disconnect();
  }

  /** These devices belong to another hub. */
  yield(edgeIds: readonly string[]): void {
    this.#link.yield(edgeIds);
  }

  found() {
    return this.#link.found();
  }

  status() {
    return this.#link.status();
  }

  /** Delivers held messages that no longer wait for a description. Messages that come meanwhile are delivered after them. */
  *#release(): Work {
    for (const [topic, messages] of [...this.#held]) {
      while (!this.#isAwaited(topic)) {
        const message = messages.shift();
        if (!message) {
          this.#held.delete(topic);
          break;
        }
        yield* this.#handOn(message);
      }
    }
  }

  #isAwaited(topic: string): boolean {
    return [...this.#topics.of(topic)].some(({ edgeId }) => this.#awaited.has(edgeId));
  }

  *#handOn(message: Message): Work {
    for (const device of [...this.#topics.of(message.topic)]) yield* this.#hand(device, message);
  }

  *#hand(device: BrokerDevice, message: Message): Work {
    // Other devices had their turn before: the device may have left meanwhile.
    if (!this.#heard.has(device)) return;
    const { work } = message.payload;
    const before = work.steps;
    device.take(message);
    this.#link.consider(device.edgeId);
    yield 1 + work.steps - before;
  }

  /** Subscribes to the topics that admitted devices need, and unsubscribes from all others. */
  *#hear(edgeIds: ReadonlySet<string>): Work {
    const admitted = new Map([...this.#described].filter(([edgeId]) => edgeIds.has(edgeId)));
    const changed = [...admitted.values()].filter((device) => this.#heard.get(device) !== device.described);
    for (const { described } of changed) {
      this.#deps.admitted(described);
      yield 5 + described.properties.length;
    }
    const dropped: string[] = [];
    for (const device of [...this.#heard.keys()]) {
      if (admitted.get(device.edgeId) === device) continue;
      this.#heard.delete(device);
      device.disconnect();
      dropped.push(...this.#topics.set(device, new Set()));
    }
    const added = new Set<string>();
    for (const device of changed) {
      this.#heard.set(device, device.described);
      dropped.push(...this.#topics.set(device, device.topics));
      for (const topic of device.topics) added.add(topic);
    }
    const unused = dropped.filter((topic) => !this.needs(topic));
    if (added.size > 0 || unused.length > 0) this.#deps.subscribe([...added], unused);
  }
}

/**
 * Records which device needs which topics, so that each topic is subscribed to as long as it is needed, and a message finds its devices
 * at once.
 */

class TopicUsers<User> {
  readonly #users = new Map<string, Set<User>>();
  readonly #topics = new Map<User, ReadonlySet<string>>();

  /** Every topic that a user needs. */
  get topics(): string[] {
    return [...this.#users.keys()];
  }

  of(topic: string): ReadonlySet<User> {
    return this.#users.get(topic) ?? NONE;
  }

  /** Replaces the topics that the user needs. Returns the topics that no user needs any more. */
  set(user: User, topics: ReadonlySet<string>): string[] {
    const before = this.#topics.get(user) ?? NONE;
    for (const topic of topics) this.#users.set(topic, (this.#users.get(topic) ?? new Set<User>()).add(user));
    if (topics.size > 0) this.#topics.set(user, topics);
    else this.#topics.delete(user);
    return [...before].filter((topic) => !topics.has(topic) && this.#drop(user, topic));
  }

  #drop(user: User, topic: string): boolean {
    const users = this.#users.get(topic);
    users?.delete(user);
    return users?.size === 0 && this.#users.delete(topic);
  }
}

const NONE: ReadonlySet<never> = new Set();
