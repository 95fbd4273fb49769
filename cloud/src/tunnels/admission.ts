/**
 * Limits handshakes: a token bucket before any costly work, and a bound on concurrent work, so that a node admits only
 * what it can process. Pure in time. A refused hub gets a slot within the next minute, spaced by the rate of admission;
 * when the minute is full, the slots start over, so that hubs arrive evenly as long as any wait.
 */
import { TokenBucket } from "@porchlight/shared/kernel";

export type HandshakeAdmission =
  | { readonly kind: "admitted" }
  | { readonly kind: "refused" /** Whole seconds after which there will be room. */; readonly retryAfter: number };

/** The handshakes of admitted hubs that this node works on; time spent waiting for a hub's message does not count. */
export interface HandshakeWork {
  readonly underWay: number;
  /** Handshakes finished since the start. */
  readonly done: number;
}

/** A sample of the work done by a point in time. */
interface Mark {
  /** Monotonic, ms. */
  readonly at: number;
  readonly done: number;
}

/** Longest retry delay, ms: a later slot would be reserved for hubs that other nodes have admitted long before. */
const LONGEST_WAIT_MS = 60_000;
/** The bound on concurrent handshakes, in seconds of admission: with more of them, hubs would wait here until they time out. */
const UNDER_WAY_SECONDS = 0.25;
/** The speed of the work is measured over one to two of these windows, ms; the first measurement needs at least `SOONEST_MS`. */
const WINDOW_MS = 2_000;
const SOONEST_MS = 300;
/** Lower bound of the measured speed, as a part of the configured rate: below it, slots would be a minute apart. */
const SLOWEST = 0.05;
const NO_WORK: HandshakeWork = { underWay: 0, done: 0 };

export class HandshakeBucket {
  readonly #perSecond: number;
  readonly #bucket: TokenBucket;
  readonly #mostUnderWay: number;
  /** The last slot assigned, monotonic ms. */
  #lastPlace: number;
  /** While the node is busy: the sample that its speed is measured from, and the sample that replaces it after a window. */
  #busy: { readonly from: Mark; readonly next: Mark } | undefined;

  /** @param now monotonic, ms */
  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond;
    this.#bucket = new TokenBucket({ perSecond, burst }, now);
    this.#mostUnderWay = Math.max(1, perSecond * UNDER_WAY_SECONDS);
    this.#lastPlace = now;
  }

  take(now: number, work: HandshakeWork = NO_WORK): HandshakeAdmission {
    const isRoom = this.#look(now, work);
    if (isRoom && this.#bucket.take(now)) return { kind: "admitted" };
    const step = Math.min(LONGEST_WAIT_MS, 1000 / this.#letIn(now, work));
    const next = Math.max(this.#lastPlace, now) + step;
    this.#lastPlace = next <= now + LONGEST_WAIT_MS ? next : now + step;
    const waitMs = Math.min(LONGEST_WAIT_MS, Math.round(this.#lastPlace - now));
    return { kind: "refused", retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) };
  }

  /** Whether there is room for more work. */
  #look(now: number, { underWay, done }: HandshakeWork): boolean {
    const isRoom = underWay < this.#mostUnderWay;
    const mark = { at: now, done };
    // The node stays busy until most of the work is done: room for one more hub does not mean room for all of them.
    if (underWay < this.#mostUnderWay / 4) this.#busy = undefined;
    else if (!isRoom && !this.#busy) this.#busy = { from: mark, next: mark };
    else if (this.#busy && now - this.#busy.next.at >= WINDOW_MS) this.#busy = { from: this.#busy.next, next: mark };
    return isRoom;
  }

  /** Hubs admitted a second: while the node is busy, as many as it finishes. */
  #letIn(now: number, { done }: HandshakeWork): number {
    const from = this.#busy?.from;
    if (!from || now - from.at < SOONEST_MS) return this.#perSecond;
    const speed = (1000 * (done - from.done)) / (now - from.at);
    return Math.min(this.#perSecond, Math.max(SLOWEST * this.#perSecond, speed));
  }
}
