/**
 * The queue of messages to the broker: of each topic the newest message, and every event, with a bounded number in flight.
 *
 * Messages that a connection does not accept are lost, because everything is published again on the next one.
 */
import type { BrokerConnection, Publication } from "@porchlight/driver-mqtt/broker";

/** Maximum messages in flight. */
const WINDOW = 32;
/** Maximum events that wait. */
const MOST_EVENTS = 1000;

export class PublishQueue {
  readonly counters = { published: 0, notPublished: 0, lostEvents: 0 };
  #connection: BrokerConnection | undefined;
  /** By topic; each event under its own number. */
  readonly #waiting = new Map<string | number, Publication>();
  /** The last payload of each retained topic, so that it is not sent twice. */
  readonly #sent = new Map<string, string>();
  #events = 0;
  #eventNumber = 0;
  #inFlight = 0;

  /** Sends over this connection from now on. */
  attach(connection: BrokerConnection): void {
    this.#connection = connection;
    this.#sent.clear();
  }

  /** Drops the waiting messages: the connection is gone. */
  detach(): void {
    this.#connection = undefined;
    this.#waiting.clear();
    this.#events = 0;
  }

  /** Forgets the last payloads, so that everything is sent again. */
  forget(): void {
    this.#sent.clear();
  }

  /** Whether the topic has a payload since the last `forget`. */
  hasSent(topic: string): boolean {
    return this.#sent.has(topic);
  }

  /** Retains the payload on the topic, unless it is the last one sent; an empty payload clears it. @param again sends it in any case */
  keep(topic: string, payload: string, again = false): void {
    if (!this.#connection || (!again && this.#sent.get(topic) === payload)) return;
    this.#sent.set(topic, payload);
    // Appended, so that a device's values follow its description.
    this.#waiting.delete(topic);
    this.#waiting.set(topic, { topic, payload, qos: 1, retain: true });
    this.#send();
  }

  /** Clears the retained message of a topic. */
  clear(topic: string): void {
    this.keep(topic, "", true);
    this.#sent.delete(topic);
  }

  /** Publishes an event, in order. */
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
