/** Conditions that topics report: whether a device is reachable, whether one of its parts is, whether a lamp shows a colour. */
import type { Message, MqttCondition } from "./mqtt-device.ts";

/** Conditions by their ids. */
type ConditionsById = ReadonlyMap<string, MqttCondition>;

export class Conditions {
  readonly #states = new Map<string, ConditionState>();
  /** The last message of each topic that reports a condition, oldest first. */
  readonly #last = new Map<string, Message>();

  /** Replaces the conditions; earlier messages count for them too. */
  describe(conditions: ConditionsById): void {
    for (const id of this.#states.keys()) if (!conditions.has(id)) this.#states.delete(id);
    for (const [id, condition] of conditions) {
      const state = this.#states.get(id) ?? new ConditionState(condition);
      this.#states.set(id, state);
      state.describe(condition, this.#last.values());
    }
  }

  /** Returns the ids of the conditions that the message changes: those that start or stop holding, or being denied. */
  take(message: Message): ReadonlySet<string> {
    const changed = new Set<string>();
    for (const [id, state] of this.#states) {
      const [held, wasDenied] = [state.holds, state.isDenied];
      if (!state.take(message)) continue;
      this.#last.delete(message.topic);
      this.#last.set(message.topic, message);
      if (state.holds !== held || state.isDenied !== wasDenied) changed.add(id);
    }
    return changed;
  }

  /** An unknown condition does not hold. */
  holds(id: string): boolean {
    return this.#states.get(id)?.holds ?? false;
  }

  /** Whether its topics report that the condition does not hold; silent topics do not count. */
  denies(id: string): boolean {
    return this.#states.get(id)?.isDenied ?? false;
  }

  /** The connection is lost: all states except lasting ones must be received again. */
  forget(): void {
    for (const state of this.#states.values()) state.forget();
    const states = [...this.#states.values()];
    for (const topic of this.#last.keys()) if (!states.some((state) => state.lasts(topic))) this.#last.delete(topic);
  }
}

class ConditionState {
  #of: MqttCondition;
  /** The last message of each of its topics, oldest first. */
  readonly #received = new Map<string, Message>();

  constructor(of: MqttCondition) {
    this.#of = of;
  }

  get holds(): boolean {
    return this.#holds(this.#of.initially);
  }

  get isDenied(): boolean {
    return !this.#holds(true);
  }

  #holds(unstated: boolean): boolean {
    const { mode, topics } = this.#of;
    if (topics.length === 0) return true;
    if (mode === "latest") return this.#latest() ?? unstated;
    const says = (each: MqttCondition["topics"][number]) => (this.#sayingOf(each) ?? unstated) === true;
    return mode === "all" ? topics.every(says) : topics.some(says);
  }

  /** @param last messages on topics that the condition may not have had before */
  describe(of: MqttCondition, last: Iterable<Message>): void {
    this.#of = of;
    const topics = new Set(of.topics.map(({ topic }) => topic));
    for (const topic of this.#received.keys()) if (!topics.has(topic)) this.#received.delete(topic);
    for (const message of last) if (!this.#received.has(message.topic)) this.take(message);
  }

  /** Whether the message reports the condition. */
  take(message: Message): boolean {
    const { topic, payload, retained } = message;
    if (retained && this.#of.isLiveOnly) return false;
    if (!this.#of.topics.some((each) => each.topic === topic && each.read(payload) !== undefined)) return false;
    this.#received.delete(topic);
    this.#received.set(topic, message);
    return true;
  }

  forget(): void {
    for (const topic of this.#received.keys()) if (!this.lasts(topic)) this.#received.delete(topic);
  }

  /** Whether a report of the topic stays valid after the connection ends. */
  lasts(topic: string): boolean {
    return this.#of.topics.some((each) => each.topic === topic && each.isLasting);
  }

  #sayingOf({ topic, read }: MqttCondition["topics"][number]): boolean | undefined {
    const message = this.#received.get(topic);
    return message && read(message.payload);
  }

  #latest(): boolean | undefined {
    const last = [...this.#received.keys()].at(-1);
    const ofLast = this.#of.topics.filter(({ topic }) => topic === last);
    return ofLast.map((each) => this.#sayingOf(each)).findLast((stated) => stated !== undefined);
  }
}
