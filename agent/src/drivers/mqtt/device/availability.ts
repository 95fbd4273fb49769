/** Whether a device behind a broker is there, by what its topics said last. */
import type { Message, MqttAvailability } from "./mqtt-device.ts";
import type { Payload } from "./payload.ts";

export class AvailabilityState {
  #of: MqttAvailability;
  /** What its topics said last, oldest first. */
  readonly #said = new Map<string, Payload>();

  constructor(of: MqttAvailability) {
    this.#of = of;
  }

  /** What has not been said counts as "not there": brokers keep it, and it comes at once where it was ever said. */
  get isThere(): boolean {
    const { mode, topics } = this.#of;
    if (topics.length === 0) return true;
    if (mode === "latest") return this.#latest() ?? false;
    const says = (each: MqttAvailability["topics"][number]) => this.#sayingOf(each) === true;
    return mode === "all" ? topics.every(says) : topics.some(says);
  }

  /** Its dialect describes it anew: what the topics said is looked at in the new way. */
  describe(of: MqttAvailability): void {
    this.#of = of;
    const topics = new Set(of.topics.map(({ topic }) => topic));
    for (const topic of this.#said.keys()) if (!topics.has(topic)) this.#said.delete(topic);
  }

  take({ topic, payload }: Message): void {
    if (!this.#of.topics.some((each) => each.topic === topic && each.read(payload) !== undefined)) return;
    this.#said.delete(topic);
    this.#said.set(topic, payload);
  }

  /** The connection is gone: all must be said again. */
  forget(): void {
    this.#said.clear();
  }

  #sayingOf({ topic, read }: MqttAvailability["topics"][number]): boolean | undefined {
    const payload = this.#said.get(topic);
    return payload && read(payload);
  }

  #latest(): boolean | undefined {
    const last = [...this.#said.keys()].at(-1);
    const ofLast = this.#of.topics.filter(({ topic }) => topic === last);
    return ofLast.map((each) => this.#sayingOf(each)).findLast((said) => said !== undefined);
  }
}
