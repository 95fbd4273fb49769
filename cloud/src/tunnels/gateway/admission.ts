/**
 * How many handshakes are let in: a token bucket before any costly work, and a bound on those whose work is under way, so that a node lets in
 * what it can do. Pure in time. Whoever is refused gets a place in the queue, one after another over the next minute, as far apart as hubs
 * are let in; when the minute is full it is gone through once more, so that hubs come at every moment as long as any wait.
 */
import { TokenBucket } from "@porchlight/shared/kernel";

export type HandshakeAdmission =
  | { readonly kind: "admitted" }
  | { readonly kind: "refused" /** Whole seconds after which there will be room. */; readonly retryAfter: number };

/** What the node does with hubs that were let in: its own work, and not the waiting for what a hub says. */
export interface HandshakeWork {
  readonly underWay: number;
  /** How much has been done since the start. */
  readonly done: number;
}

/** How much was done at a time. */
interface Mark {
  /** Monotonic, ms. */
  readonly at: number;
  readonly done: number;
}

/** Nobody is told to stay away for longer, ms: a place far ahead would be kept for hubs that have long been let in elsewhere. */
const LONGEST_WAIT_MS = 60_000;
/** As much is under way as is let in in this time, s: with more of it, hubs would wait in here until their time is over. */
const UNDER_WAY_SECONDS = 0.25;
/** How fast the work is done is seen over this time, ms, twice as long at most; and over less of it no sooner than after the second. */
const WINDOW_MS = 2_000;
const SOONEST_MS = 300;
/** Slower than this part of what may be let in a node is never taken to be: places would be a minute apart. */
const SLOWEST = 0.05;
const NO_WORK: HandshakeWork = { underWay: 0, done: 0 };

export class HandshakeBucket {
  readonly #perSecond: number;
  readonly #bucket: TokenBucket;
  readonly #mostUnderWay: number;
  /** The place that was given last, monotonic ms. */
  #lastPlace: number;
  /** While there is too much to do: since when its speed is looked at, and when it will be instead. */
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
    // It counts as busy until most of the work is done: room for one hub more is no sign that there is room for all.
    if (underWay < this.#mostUnderWay / 4) this.#busy = undefined;
    else if (!isRoom && !this.#busy) this.#busy = { from: mark, next: mark };
    else if (this.#busy && now - this.#busy.next.at >= WINDOW_MS) this.#busy = { from: this.#busy.next, next: mark };
    return isRoom;
  }

  /** How many hubs are let in a second: while the node is busy, as many as it is done with. */
  #letIn(now: number, { done }: HandshakeWork): number {
    const from = this.#busy?.from;
    if (!from || now - from.at < SOONEST_MS) return this.#perSecond;
    const speed = (1000 * (done - from.done)) / (now - from.at);
    return Math.min(this.#perSecond, Math.max(SLOWEST * this.#perSecond, speed));
  }
}
