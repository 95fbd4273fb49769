/**
 * What must be published, on its way to the broker: of each topic the newest message, and every event, a bounded number at a time.
 *
 * What the connection does not take is lost, because everything is published anew on the next one.
 */
import type { BrokerConnection, Publication } from "@porchlight/driver-mqtt/broker";

/** Messages on their way at once. */
const WINDOW = 32;
/** Events that may wait. */
const MOST_EVENTS = 1000;

export class PublishQueue {
  readonly counters = { published: 0, notPublished: 0, lostEvents: 0 };
  #connection: BrokerConnection | undefined;
  /** By topic; events by a number of their own. */
  readonly #waiting = new Map<string | number, Publication>();
  /** What was last said on each retained topic, so that it is not said again. */
  readonly #said = new Map<string, string>();
  #events = 0;
  #eventNumber = 0;
  #inFlight = 0;

  /** From now on it goes there. */
  attach(connection: BrokerConnection): void {
    this.#connection = connection;
    this.#said.clear();
  }

  /** The connection is gone. */
  detach(): void {
    this.#connection = undefined;
    this.#waiting.clear();
    this.#events = 0;
  }

  /** Everything is said again, also what was said before. */
  forget(): void {
    this.#said.clear();
  }

  /** Whether anything was kept on the topic since everything was forgotten. */
  hasSaid(topic: string): boolean {
    return this.#said.has(topic);
  }

  /** Keeps this on the topic; an empty payload clears it. Nothing is sent when it was said last. @param again sent all the same */
  keep(topic: string, payload: string, again = false): void {
    if (!this.#connection || (!again && this.#said.get(topic) === payload)) return;
    this.#said.set(topic, payload);
    // At the end: what is said of a device comes after its description.
    this.#waiting.delete(topic);
    this.#waiting.set(topic, { topic, payload, qos: 1, retain: true });
    this.#send();
  }

  /** Nothing is retained there any more. */
  clear(topic: string): void {
    this.keep(topic, "", true);
    this.#said.delete(topic);
  }

  /** Tells an event, in its order. */
  happen(topic: string, payload: string): void {
    if (!this.#connection || this.#events >= MOST_EVENTS) {
      this.counters.lostEvents += 1;
      return;
    }
    this.#events += 1;
    this.#waiting.set(this.#eventNumber++, { topic, payload, qos: 1, retain: false });
    this.#send();
  }

  #send(): void {
    for (const [key, publication] of this.#waiting) {
      const connection = this.#connection;
      if (!connection || this.#inFlight >= WINDOW) return;
      this.#waiting.delete(key);
      if (typeof key === "number") this.#events -= 1;
      this.#inFlight += 1;
      connection.publish(publication).then(
        () => this.#ended("published"),
        () => this.#ended("notPublished"),
      );
    }
  }

  #ended(how: "published" | "notPublished"): void {
    this.counters[how] += 1;
    this.#inFlight -= 1;
    this.#send();
  }
}
