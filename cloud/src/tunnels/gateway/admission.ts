/**
 * How many handshakes are let in: a token bucket before any costly work, pure in time. Whoever is refused gets a place in the queue,
 * one after another over the next minute; when the minute is full it is gone through once more, so that hubs come at every moment as
 * long as any wait.
 */
import { TokenBucket } from "@porchlight/shared/kernel";

export type HandshakeAdmission =
  | { readonly kind: "admitted" }
  | { readonly kind: "refused" /** Whole seconds after which there will be room. */; readonly retryAfter: number };

/** Nobody is told to stay away for longer, ms: a place far ahead would be kept for hubs that have long been let in elsewhere. */
const LONGEST_WAIT_MS = 60_000;

export class HandshakeBucket {
  readonly #perSecond: number;
  readonly #bucket: TokenBucket;
  /** The place that was given last, monotonic ms. */
  #lastPlace: number;

  /** @param now monotonic, ms */
  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#bucket = new TokenBucket({ perSecond, burst }, now);
    this.#lastPlace = now;
  }

  take(now: number): HandshakeAdmission {
    if (this.#bucket.take(now)) return { kind: "admitted" };
    const step = Math.min(LONGEST_WAIT_MS, 1000 / this.#perSecond);
    const next = Math.max(this.#lastPlace, now) + step;
    this.#lastPlace = next <= now + LONGEST_WAIT_MS ? next : now + step;
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.round(this.#lastPlace - now));
    return { kind: "refused", retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) };
  }
}
