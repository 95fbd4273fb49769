/**
 * The hubs that this node has sent on to another: each for a few seconds at most, and none where that leads nowhere, because a
 * balancer may bring a hub back to the same node for ever. Apart from `rollout-target.ts`, which says when there is a reason to.
 */

/** A hub is sent on for so long after it came first, ms: then it is taken in here. */
const LIMIT_MS = 5_000;
/** A hub that has not come back for so long is another one's, ms: the next time it comes is the first again. */
const FORGET_MS = 60_000;
/** Hubs that are remembered; one that comes beyond them is not sent on. */
const MOST_HUBS = 20_000;
/** So many that found no other node are a sign that the balancer does not lead there, when they are most of all. */
const ENOUGH_BACK = 3;

interface SentHub {
  /** Monotonic, ms. */
  readonly first: number;
  /** It has found no other node in all its time. */
  back: boolean;
}

export class Redirects {
  /** In the order in which they came first. */
  readonly #hubs = new Map<string, SentHub>();
  #to: string | undefined;
  #sent = 0;
  #back = 0;

  get size(): number {
    return this.#hubs.size;
  }

  /**
   * Whether the hub must be sent on, and not taken in.
   * @param hub what tells it from others
   * @param to the node that must have it: another one has a clean record
   * @param now monotonic, ms
   */
  sends(hub: string, to: string, now: number): boolean {
    this.#forget(now);
    if (to !== this.#to) {
      this.#to = to;
      this.#sent = 0;
      this.#back = 0;
    }
    const known = this.#hubs.get(hub);
    if (known && now - known.first >= LIMIT_MS) {
      if (!known.back) this.#back += 1;
      known.back = true;
      return false;
    }
    if (this.#back >= ENOUGH_BACK && this.#back * 2 > this.#sent) return false;
    if (known) return true;
    if (this.#hubs.size >= MOST_HUBS) return false;
    this.#hubs.set(hub, { first: now, back: false });
    this.#sent += 1;
    return true;
  }

  #forget(now: number): void {
    for (const [hub, { first }] of this.#hubs) {
      if (now - first < FORGET_MS) return;
      this.#hubs.delete(hub);
    }
  }
}
