/**
 * The devices of one broker: those that a dialect describes, on the topics that say something of them.
 *
 * Invariants: a topic is subscribed to as long as an admitted device needs it, and before the device can come; a message that comes while
 * its device is described otherwise is read by the new description, and by the device that has its topic then.
 */
import { LinkDevices, type LinkDevicesDeps, type Work } from "@porchlight/driver-kit";
import { BrokerDevice, type BrokerDeviceDeps, madeDevice } from "./device/broker-device.ts";
import type { Message, MqttDevice } from "./device/mqtt-device.ts";
import { TopicUsers } from "./device/topic-users.ts";

export interface BrokerDevicesDeps
  extends Omit<BrokerDeviceDeps, "host">,
    Pick<LinkDevicesDeps, "host" | "admit" | "ask"> {
  /** How devices of this broker are reached, for people. */
  readonly transport: string;
  /** The device is admitted, as it is described now: called before it can be announced so. */
  readonly admitted: (device: MqttDevice) => void;
  /** What the broker has kept of `added` is wanted once more, also where it is subscribed to already. */
  readonly subscribe: (added: readonly string[], removed: readonly string[]) => void;
}

/** Devices that are described otherwise in one turn of the loop. */
const AT_ONCE = 100;
/** Most messages of a topic that wait for a description. */
const MOST_HELD = 100;

export class BrokerDevices {
  readonly #deps: BrokerDevicesDeps;
  readonly #link: LinkDevices<BrokerDevice>;
  readonly #topics = new TopicUsers<BrokerDevice>();
  #described: ReadonlyMap<string, BrokerDevice> = new Map();
  /** Devices that are described otherwise, by edgeId. */
  #awaited = new Set<string>();
  /** What came since on topics of these: which device says it is known when they are described. By topic, in the order of the first messages. */
  readonly #held = new Map<string, Message[]>();
  /** Devices that are described otherwise than the last look at all of them has found. */
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

  /** Whether a device needs what comes on it. */
  needs(topic: string): boolean {
    return this.#topics.of(topic).size > 0;
  }

  live(edgeId: string): BrokerDevice | undefined {
    return this.#link.live(edgeId);
  }

  /** What dialects describe now: made in slices, and taken over some at once, each with the decision whether it is admitted so. */
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
    // What was described during the look is for the next one.
    this.#awaited = new Set(this.#heldAnew);
    yield* this.#release();
  }

  /** These are described otherwise, and `describe` will be called: what comes on their topics until then waits for it. */
  hold(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      this.#awaited.add(edgeId);
      this.#heldAnew.add(edgeId);
    }
  }

  /** What is described from now on is for the look after this one, and so is what is held for it. */
  beginLook(): void {
    this.#heldAnew.clear();
  }

  *take(message: Message): Work {
    const { topic } = message;
    const before = this.#held.get(topic);
    // Behind what is being handed on.
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

  /** Hands on what was held and waits for no description any more. What comes meanwhile is handed on behind it. */
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
    // Other devices have had their turn: it may have gone meanwhile.
    if (!this.#heard.has(device)) return;
    const { work } = message.payload;
    const before = work.steps;
    device.take(message);
    this.#link.consider(device.edgeId);
    yield 1 + work.steps - before;
  }

  /** Subscribes to what admitted devices need, and to no more. */
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
