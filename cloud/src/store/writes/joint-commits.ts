/**
 * Reports and openings of connections of several ecosystems in one transaction, on PostgreSQL: a commit and its statements cost as much for one report as for ten. One
 * such transaction is made at a time; what comes meanwhile waits for the next one, so that they grow with the load and alone are as small
 * as they can be.
 *
 * Invariants: an ecosystem is in one transaction at a time; nobody waits for a row that another transaction holds, since that ecosystem is left
 * out and done alone; a request does not wait here. One that takes long is not waited for, and one that fails is done again, each
 * ecosystem alone: whoever was the reason shares no other for a while.
 */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";
import type { JointWork, Taken } from "./joint-work.ts";
import { MOST_RECORDS, type WriteQueue } from "./write-queue.ts";

/** Others wait for a transaction so long, ms; usually it takes some ten. With two at once a commit had a third as many reports, and each cost node and PostgreSQL twice as much. */
const LONG_MS = 250;
/** Transactions at once, with those that take long. */
const MOST_AT_ONCE = 3;
/** Ecosystems of a failed transaction that are tried at once: connections are left for requests. */
const RETRIES_AT_ONCE = 3;

interface Place {
  readonly queue: WriteQueue;
  /** Whoever waits looks again what there is to do. */
  readonly end: () => void;
}

type TakenPlace = Taken & Place;

export class JointCommits {
  readonly #clock: Pick<Clock, "monotonic" | "timer">;
  readonly #work: JointWork;
  readonly #apart: Apart;
  /** By ecosystem, in the order in which they came. */
  readonly #places = new Map<string, Place>();
  #running = 0;
  /** Of those that run, which others wait for. */
  #awaited = 0;
  /** How many have been made. */
  #made = 0;

  constructor(clock: Pick<Clock, "monotonic" | "timer">, work: JointWork) {
    this.#clock = clock;
    this.#work = work;
    this.#apart = new Apart(clock);
  }

  /** Whether the ecosystem must not be in such a transaction now. */
  isApart(eco: string): boolean {
    return this.#apart.has(eco);
  }

  /** How many are. */
  get apart(): number {
    return this.#apart.size;
  }

  /** Settles when jobs of the ecosystem are done, or when {@link leave} was called before they were begun. */
  turn(eco: string, queue: WriteQueue): Promise<void> {
    return new Promise((resolve) => {
      this.#places.set(eco, { queue, end: resolve });
      this.#next();
    });
  }

  /** The ecosystem has a request, which must not wait here. */
  leave(eco: string): void {
    const place = this.#places.get(eco);
    this.#places.delete(eco);
    place?.end();
  }

  #next(): void {
    while (this.#awaited === 0 && this.#running < MOST_AT_ONCE && this.#places.size > 0)
      void this.#transaction(this.#take());
  }

  #take(): TakenPlace[] {
    const taken: TakenPlace[] = [];
    let left = MOST_RECORDS;
    for (const [eco, place] of this.#places) {
      const { jobs, reports, records } = place.queue.nextBeside(left);
      // It is too large for what is left, and the first of the next one.
      if (jobs.length + reports.length === 0 && place.queue.length > 0) break;
      this.#places.delete(eco);
      taken.push({ ...place, eco, jobs, reports });
      left -= records;
    }
    return taken;
  }

  async #transaction(taken: readonly TakenPlace[]): Promise<void> {
    const before = this.#made;
    this.#running += 1;
    this.#awaited += 1;
    let isAwaited = true;
    const pass = () => {
      if (isAwaited) this.#awaited -= 1;
      isAwaited = false;
    };
    const long = this.#clock.timer("joint transaction", LONG_MS, () => {
      pass();
      this.#next();
    });
    const end = await this.#work.together(taken);
    long.cancel();
    pass();
    this.#running -= 1;
    if (end.kind === "made") this.#made += 1;
    // Where another was made meanwhile, only a connection was silent.
    if (end.kind === "refused" && end.silence && this.#made === before) this.#refuseAll(end.silence);
    this.#next();
    if (end.kind === "failed") return this.#retry(taken);
    for (const one of taken) {
      if (end.kind === "made" && end.left.has(one.eco)) void this.#work.alone(one).then(one.end);
      else one.end();
    }
  }

  /** Whoever waits for the same would hear nothing either. */
  #refuseAll(silence: Error): void {
    const places = [...this.#places.values()];
    this.#places.clear();
    for (const { queue, end } of places) {
      this.#work.refuseWaiting(queue, silence);
      end();
    }
  }

  /** Finds out who was the reason: the others are done then. */
  async #retry(taken: readonly TakenPlace[]): Promise<void> {
    const rest = [...taken];
    const tried: TriedAlone[] = [];
    const retries = Array.from({ length: RETRIES_AT_ONCE }, async () => {
      for (let one = rest.shift(); one; one = rest.shift()) {
        const { eco, end } = one;
        const { isDone, isSuspect } = await this.#work.briefly(one);
        tried.push({ eco, isSuspect });
        if (isDone) end();
        else void this.#work.alone(one).then(end);
      }
    });
    await Promise.all(retries);
    this.#apart.judge(tried);
  }
}

// Which ecosystems are not to share a transaction for a while, since one that they shared has failed for them: its own file because who was the
// reason is decided by what became of all that were in it.

/** Whoever was the reason is done alone for so long, ms: so often at most it costs others another failed transaction. */
const APART_MS = 60_000;
/** Past so many the oldest may share a transaction again. */
const MOST_APART = 10_000;

/** What became of an ecosystem of a failed transaction when it was tried alone. */
interface TriedAlone {
  readonly eco: string;
  /** It failed alone as well, and not for what fails everything, or one of its jobs did. */
  readonly isSuspect: boolean;
}

/** Those that were the reason: when most of them look so, the database was. */
export function reasonsOf(tried: readonly TriedAlone[]): readonly string[] {
  const suspects = tried.filter(({ isSuspect }) => isSuspect).map(({ eco }) => eco);
  return suspects.length <= Math.max(1, tried.length / 2) ? suspects : [];
}

class Apart {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #until = new BoundedMap<string, number>(MOST_APART);

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  has(eco: string): boolean {
    const until = this.#until.get(eco);
    if (until === undefined) return false;
    if (this.#clock.monotonic() < until) return true;
    this.#until.delete(eco);
    return false;
  }

  get size(): number {
    for (const [eco] of this.#until) this.has(eco);
    return this.#until.size;
  }

  /** @param tried all of a transaction that has failed */
  judge(tried: readonly TriedAlone[]): void {
    for (const eco of reasonsOf(tried)) this.#until.set(eco, this.#clock.monotonic() + APART_MS);
  }
}
