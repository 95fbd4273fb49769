/**
 * Shares the processor between owners (accounts with their ecosystems): heavy users wait, others do not.
 *
 * Work of an owner that has used up its share, and every slice of a large answer, waits for a turn. Each iteration of the event loop
 * spends a few milliseconds on turns, owner by owner, so that requests of other owners run in between. While such requests arrive,
 * turns have a part of the time; an otherwise idle node gives all its time to the one owner that needs it.
 */
import { type BucketRule, type Clock, NamedError, Tally } from "@porchlight/shared/kernel";
import { type CountedReply, TokenBuckets } from "@porchlight/shared/rest";
import { UNMEASURED_MS } from "./anonymous-requests.ts";

/** Processor time of an owner without waiting, ms: per second, and as a burst. */
const SHARE: BucketRule = { perSecond: 250, burst: 250 };
/** Most requests of one owner that wait for a turn. */
const MOST_WAITING = 200;
/** Most unsent bytes of an owner's answers. */
const MOST_UNSENT = 16 * 1024 * 1024;
/** An iteration of the event loop starts no further turn after so many ms, or so many turns. */
const ITERATION = { ms: 2, turns: 8 };
/** Part of the time for turns while requests of other owners arrive, and for how many ms after the last of them. */
const BESIDE_OTHERS = { part: 0.2, ms: 100 };
const POLICY = `"processor-time";q=${SHARE.burst};w=${SHARE.burst / SHARE.perSecond}`;

export interface OwnerTurnsDeps {
  readonly clock: Clock;
  /** Processor time that the thread has used so far, ms. */
  readonly processorTime: () => number;
}

/** The waiting work of an owner, the oldest first. Slices of answers run before further requests, so that few are in memory. */
interface Waiting {
  readonly slices: (() => void)[];
  readonly requests: (() => void)[];
}

export class OwnerTurns {
  readonly #deps: OwnerTurnsDeps;
  readonly #used: TokenBuckets = new TokenBuckets(SHARE);
  /** Waiting work by owner. The first owner has the next turn. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #unsent = new Tally<string>();
  /** The last request that was handled at once, for an owner without waiting work. */
  #latest: { readonly owner: string; readonly at: number } | undefined;
  #isTurning = false;

  constructor(deps: OwnerTurnsDeps) {
    this.#deps = deps;
  }

  /**
   * Admits a request.
   * @returns undefined when it can be handled at once, else a promise that resolves at its turn
   * @throws "Rate Limit Exceeded" when too many requests of the owner wait, or too many bytes of its answers are unsent
   */
  admit(owner: string, reply: CountedReply): Promise<void> | undefined {
    const now = this.#deps.clock.monotonic();
    const bucket = this.#used.of(owner, now);
    const waitMs = bucket.waitFor(UNMEASURED_MS, now);
    const unsent = this.#unsent.of(owner);
    if (waitMs === 0 && unsent <= MOST_UNSENT) {
      bucket.spend(UNMEASURED_MS, now);
      if (!this.#waiting.has(owner)) this.#latest = { owner, at: now };
      return undefined;
    }
    const retryAfter = Math.max(1, Math.ceil(waitMs / 1000));
    reply.header("ratelimit-policy", POLICY);
    reply.header("ratelimit", `"processor-time";r=0;t=${retryAfter}`);
    if (unsent > MOST_UNSENT) throw refusal("Too many bytes of answers to this account are not read", retryAfter);
    const waiting = this.#waiting.get(owner)?.requests.length ?? 0;
    if (waiting >= MOST_WAITING) throw refusal("Too many requests of this account wait for the processor", retryAfter);
    bucket.spend(UNMEASURED_MS, now);
    return this.#wait(owner, "requests");
  }

  /** Resolves at the owner's turn to do a slice of work of some milliseconds. */
  next(owner: string): Promise<void> {
    return this.#wait(owner, "slices");
  }

  /** Runs work for an owner, and charges its time up to its first wait. Returns the work's result. */
  measure<T>(owner: string, work: () => T): T {
    const { processorTime, clock } = this.#deps;
    const from = processorTime();
    try {
      return work();
    } finally {
      const now = clock.monotonic();
      this.#used.of(owner, now).spend(processorTime() - from, now);
    }
  }

  /** Counts an answer as unsent. Call the result once the connection has taken it, or is closed. */
  sending(owner: string, bytes: number): () => void {
    this.#unsent.add(owner, bytes);
    return () => void this.#unsent.add(owner, -bytes);
  }

  #wait(owner: string, kind: keyof Waiting): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(owner) ?? { slices: [], requests: [] };
      this.#waiting.set(owner, waiting);
      waiting[kind].push(resolve);
      if (!this.#isTurning) this.#schedule();
    });
  }

  /**
   * Runs turns in one iteration of the event loop. Between two turns only the promises that the first has settled run, and their time
   * is charged to that turn.
   */
  #schedule(): void {
    this.#isTurning = true;
    const { processorTime, clock } = this.#deps;
    let left = ITERATION.ms;
    for (let turn = 0; turn < ITERATION.turns; turn += 1) {
      let owner: string | undefined;
      let from = 0;
      setImmediate(() => {
        if (left <= 0) return;
        from = processorTime();
        owner = this.#give();
      });
      setImmediate(() => {
        if (owner === undefined) return;
        const [now, used] = [clock.monotonic(), processorTime() - from];
        this.#used.of(owner, now).spend(used, now);
        left -= used;
      });
    }
    setImmediate(() => {
      const used = ITERATION.ms - left;
      if (this.#waiting.size === 0) this.#isTurning = false;
      else if (used <= 0 || !this.#hasOthers()) this.#schedule();
      else clock.timer("turns of owners", used / BESIDE_OTHERS.part - used, () => this.#schedule());
    });
  }

  /** Whether an owner without waiting work has sent a request recently. */
  #hasOthers(): boolean {
    if (!this.#latest || this.#waiting.has(this.#latest.owner)) return false;
    return this.#deps.clock.monotonic() - this.#latest.at < BESIDE_OTHERS.ms;
  }

  /** Gives a turn to the next owner, and moves it to the end. @returns that owner */
  #give(): string | undefined {
    const [next] = this.#waiting;
    if (!next) return undefined;
    const [owner, waiting] = next;
    const resolve = waiting.slices.shift() ?? waiting.requests.shift();
    this.#waiting.delete(owner);
    if (waiting.slices.length > 0 || waiting.requests.length > 0) this.#waiting.set(owner, waiting);
    resolve?.();
    return owner;
  }
}

function refusal(reason: string, retryAfter: number): NamedError {
  return new NamedError("Rate Limit Exceeded", `${reason}. Try again in ${retryAfter} s.`, { retryAfter });
}
