/** How many handshakes are let in: a token bucket before any costly work, pure in time. */

export type Admission =
  | { readonly kind: "admitted" }
  | { readonly kind: "refused" /** Whole seconds after which there will be room. */; readonly retryAfter: number };

export class HandshakeBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;
  /** Refusals since there was room: each is sent to a later place in the queue than the one before. */
  #refused = 0;

  /** @param now monotonic, ms */
  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = now;
  }

  take(now: number): Admission {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      this.#refused = Math.max(0, this.#refused - 1);
      return { kind: "admitted" };
    }
    this.#refused += 1;
    return { kind: "refused", retryAfter: Math.min(60, Math.ceil(this.#refused / this.#perSecond)) };
  }
}
