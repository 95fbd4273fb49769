/**
 * Shares the processor between owners (accounts with their ecosystems): who uses much waits, others do not.
 *
 * Work of an owner that has used up its share, and every slice of a large answer, waits for a turn. Each iteration of the event loop gives a
 * few milliseconds of turns, to the owners one after another, so that requests of other owners run in between. While such requests come,
 * turns have a part of the time; a node that has nothing else to do gives all its time to the one owner that asks for it.
 */
import { type BucketRule, type Clock, NamedError, Tally } from "@porchlight/shared/kernel";
import { type CountedReply, TokenBuckets } from "@porchlight/shared/rest";
import { UNMEASURED_MS } from "./anonymous-requests.ts";

/** ms of processor time that an owner uses a second without waiting, and at once. */
const SHARE: BucketRule = { perSecond: 250, burst: 250 };
/** Most requests of one owner that wait for a turn. */
const MOST_WAITING = 200;
/** Most bytes of an owner's answers that its connections have not taken yet. */
const MOST_UNSENT = 16 * 1024 * 1024;
/** An iteration of the event loop gives no further turn after so many ms, and no more turns than that. */
const ITERATION = { ms: 2, turns: 8 };
/** Part of the time that turns have while requests of other owners come, and for how many ms after the last of those. */
const BESIDE_OTHERS = { part: 0.2, ms: 100 };
const POLICY = `"processor-time";q=${SHARE.burst};w=${SHARE.burst / SHARE.perSecond}`;

export interface OwnerTurnsDeps {
  readonly clock: Clock;
  /** Processor time that the thread has used so far, ms. */
  readonly processorTime: () => number;
}

/** What an owner waits for, the oldest first. Answers go on before further requests begin, so that few are in memory. */
interface Waiting {
  readonly slices: (() => void)[];
  readonly requests: (() => void)[];
}

export class OwnerTurns {
  readonly #deps: OwnerTurnsDeps;
  readonly #used: TokenBuckets = new TokenBuckets(SHARE);
  /** By owner, what waits for a turn. The owner whose turn it is next is the first. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #unsent = new Tally<string>();
  /** The last request that was handled at once, of an owner for which nothing waited. */
  #latest: { readonly owner: string; readonly at: number } | undefined;
  #isTurning = false;

  constructor(deps: OwnerTurnsDeps) {
    this.#deps = deps;
  }

  /**
   * Admits a request.
   * @returns undefined when it can be handled at once, else settles when it is its turn
   * @throws "Rate Limit Exceeded" when too many of the owner wait already, or too many bytes of its answers are not taken
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

  /** Settles when it is the owner's turn to do a slice of work of some milliseconds. */
  next(owner: string): Promise<void> {
    return this.#wait(owner, "slices");
  }

  /** Does work for an owner, and books what it takes up to its first wait. Gives what the work gives. */
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

  /** An answer is sent. Call the result once when the connection has taken it, or has ended. */
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
   * All of them run in one iteration of the event loop, and between two of them only the promises that the first has settled: what that
   * takes is the slice's.
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

  /** Whether an owner for which nothing waits has sent a request lately. */
  #hasOthers(): boolean {
    if (!this.#latest || this.#waiting.has(this.#latest.owner)) return false;
    return this.#deps.clock.monotonic() - this.#latest.at < BESIDE_OTHERS.ms;
  }

  /** Gives a turn to the next owner, which then is the last. @returns that owner */
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
