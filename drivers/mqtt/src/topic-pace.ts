/**
 * Limits the rate at which messages of one topic are read: a runaway publisher takes neither the hub's processor nor the turns of other
 * topics.
 *
 * Invariants: the newest message of a topic is read, at the latest after one interval; topics do not wait for each other.
 */
import type { Clock, Timer } from "@porchlight/shared/kernel";

export interface Pace {
  /** Average interval between two messages of a topic, ms. */
  readonly intervalMs: number;
  /** Maximum number of messages of a topic at once. */
  readonly burst: number;
}

export interface TopicPaceDeps<Message> extends Pace {
  readonly clock: Clock;
  readonly take: (message: Message) => void;
  /** A message will never be read: a newer one of its topic has come before its turn. */
  readonly replaced: () => void;
}

/** Maximum number of topics with their own pace; all others share one. */
const MOST_TOPICS = 30_000;
const OTHERS = "";

interface Waiting<Message> {
  message: Message;
  readonly timer: Timer;
}

export class TopicPace<Message extends { readonly topic: string }> {
  readonly #deps: TopicPaceDeps<Message>;
  /**
   * The theoretical arrival time of each topic, monotonic ms (the generic cell rate algorithm, ITU-T I.371); a time in the past has no
   * effect.
   */
  readonly #level = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting<Message>>();

  constructor(deps: TopicPaceDeps<Message>) {
    this.#deps = deps;
  }

  take(message: Message): void {
    const topic = this.#keyOf(message.topic);
    const waiting = this.#waiting.get(topic);
    if (waiting) {
      waiting.message = message;
      this.#deps.replaced();
      return;
    }
    const { clock, intervalMs, burst } = this.#deps;
    const now = clock.monotonic();
    const level = Math.max(this.#level.get(topic) ?? now, now);
    const tooEarlyMs = level - now - (burst - 1) * intervalMs;
    if (tooEarlyMs > 0) {
      const timer = clock.timer("messages of a topic", tooEarlyMs, () => this.#takeWaiting(topic));
      this.#waiting.set(topic, { message, timer });
      return;
    }
    this.#level.set(topic, level + intervalMs);
    this.#deps.take(message);
  }

  /** Takes all waiting messages at once, regardless of the pace. */
  takeAll(): void {
    const waiting = [...this.#waiting.values()];
    this.forget([...this.#waiting.keys()]);
    for (const { message } of waiting) this.#deps.take(message);
  }

  /** These topics are no longer needed. */
  forget(topics: Iterable<string>): void {
    for (const topic of topics) {
      this.#waiting.get(topic)?.timer.cancel();
      this.#waiting.delete(topic);
      this.#level.delete(topic);
    }
  }

  /** The connection is lost: waiting messages are obsolete. */
  clear(): void {
    this.forget([...this.#waiting.keys()]);
    this.#level.clear();
  }

  #keyOf(topic: string): string {
    return this.#level.size < MOST_TOPICS || this.#level.has(topic) ? topic : OTHERS;
  }

  #takeWaiting(topic: string): void {
    const waiting = this.#waiting.get(topic);
    this.#waiting.delete(topic);
    if (waiting) this.take(waiting.message);
  }
}
