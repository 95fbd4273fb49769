/**
 * Joint transactions for the reports and tunnel openings of several ecosystems, on PostgreSQL: a commit and its
 * statements cost as much for one report as for ten. One such transaction runs at a time, and work that arrives
 * meanwhile waits for the next: they grow with the load, and are as small as possible without it.
 *
 * Invariants: an ecosystem is in one transaction at a time; no transaction waits for a row that another holds, because
 * that ecosystem is left out and committed alone; a request does not wait here. A slow transaction does not block the
 * next one, and a failed one is repeated for each ecosystem alone: an ecosystem that caused a failure shares no
 * transaction for a while.
 */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";
import { isGivenUp } from "../sql/contention.ts";
import { CommitInDoubt, isSilence, StoreAway } from "../sql/refusal.ts";
import type { Job } from "../writes/job.ts";
import type { Joint, JointDeps } from "../writes/write-coordinator.ts";
import { LeaseLost } from "../writes/write-group.ts";
import { MOST_RECORDS, type WriteQueue } from "../writes/write-queue.ts";

/**
 * How long others wait for a transaction, ms; it usually takes some ten. With two at once a commit had a third as many
 * reports, and each cost node and PostgreSQL twice as much.
 */
const LONG_MS = 250;
/** Maximum concurrent transactions, including slow ones. */
const MOST_AT_ONCE = 3;
/** Ecosystems of a failed transaction that are retried at once: the other connections stay free for requests. */
const RETRIES_AT_ONCE = 3;

interface Place {
  readonly queue: WriteQueue;
  /** Resolves the ecosystem's turn; its queue is then looked at again. */
  readonly end: () => void;
}

type TakenPlace = Taken & Place;

export class JointCommits implements Joint {
  readonly #clock: Pick<Clock, "monotonic" | "timer">;
  readonly #work: JointWork;
  readonly #apart: Apart;
  /** By ecosystem, in the order of arrival. */
  readonly #places = new Map<string, Place>();
  #running = 0;
  /** Running transactions that others wait for. */
  #awaited = 0;
  /** Transactions committed so far. */
  #made = 0;

  constructor(clock: Pick<Clock, "monotonic" | "timer">, work: JointWork) {
    this.#clock = clock;
    this.#work = work;
    this.#apart = new Apart(clock);
  }

  /** Whether the ecosystem is excluded from joint transactions at present. */
  isApart(eco: string): boolean {
    return this.#apart.has(eco);
  }

  /** Number of excluded ecosystems. */
  get apart(): number {
    return this.#apart.size;
  }

  /** Resolves when jobs of the ecosystem are done, or when {@link leave} was called before they started. */
  turn(eco: string, queue: WriteQueue): Promise<void> {
    return new Promise((resolve) => {
      this.#places.set(eco, { queue, end: resolve });
      this.#next();
    });
  }

  /** Takes out the ecosystem, which has a request: requests must not wait here. */
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
      // Its job exceeds the remaining room, and comes first in the next transaction.
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
    // If another transaction committed meanwhile, only one connection was silent.
    if (end.kind === "refused" && end.silence && this.#made === before) this.#refuseAll(end.silence);
    this.#next();
    if (end.kind === "failed") return this.#retry(taken);
    for (const one of taken) {
      if (end.kind === "made" && end.left.has(one.eco)) void this.#work.alone(one).then(one.end);
      else one.end();
    }
  }

  /** Refuses all waiting work, which would get no answer either. */
  #refuseAll(silence: Error): void {
    const places = [...this.#places.values()];
    this.#places.clear();
    for (const { queue, end } of places) {
      this.#work.refuseWaiting(queue, silence);
      end();
    }
  }

  /** Retries each ecosystem alone, to find the one that caused the failure. */
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

/** Exclusion time of an ecosystem that caused a failure, ms: it fails a joint transaction at most this often. */
const APART_MS = 60_000;
/** Maximum excluded ecosystems; beyond it the oldest is admitted again. */
const MOST_APART = 10_000;

/** The outcome for an ecosystem of a failed transaction that was retried alone. */
interface TriedAlone {
  readonly eco: string;
  /** It failed alone too, for a reason of its own, or one of its jobs did. */
  readonly isSuspect: boolean;
}

/** The ecosystems that caused the failure; none when most are suspects, because then the database was the cause. */
export function reasonsOf(tried: readonly TriedAlone[]): readonly string[] {
  const suspects = tried.filter(({ isSuspect }) => isSuspect).map(({ eco }) => eco);
  return suspects.length <= Math.max(1, tried.length / 2) ? suspects : [];
}

/** Ecosystems excluded from joint transactions for a while, because they made one fail. */
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

  /** @param tried all ecosystems of a failed transaction */
  judge(tried: readonly TriedAlone[]): void {
    for (const eco of reasonsOf(tried)) this.#until.set(eco, this.#clock.monotonic() + APART_MS);
  }
}

/** The work taken from one ecosystem's queue. */
export interface Taken {
  readonly eco: string;
  readonly queue: WriteQueue;
  readonly jobs: readonly Job[];
  /** They run after the jobs. */
  readonly reports: readonly Job[];
}

export type JointEnd =
  /** Committed, except for ecosystems whose row another transaction holds. */
  | { readonly kind: "made"; readonly left: ReadonlySet<string> }
  /** All callers were answered with the refusal. @param silence set when the database did not answer at all */
  | { readonly kind: "refused"; readonly silence?: Error | undefined }
  /** Nothing was committed, and one of the ecosystems may be the cause. */
  | { readonly kind: "failed" };

export interface BriefEnd {
  readonly isDone: boolean;
  /** Whether it would make another transaction fail. */
  readonly isSuspect: boolean;
}

export interface JointWork {
  /** Runs one brief transaction over all of it. */
  together(taken: readonly Taken[]): Promise<JointEnd>;
  /** Runs one brief transaction for one ecosystem. */
  briefly(taken: Taken): Promise<BriefEnd>;
  /** Runs a transaction without a time limit. Resolves when its callers are answered. */
  alone(taken: Taken): Promise<void>;
  /** Refuses everything that waits in the queue. */
  refuseWaiting(queue: WriteQueue, silence: Error): void;
}

/** The transactions of {@link JointCommits}; it decides which errors concern the other ecosystems too. */
export function jointWork(deps: JointDeps): JointWork {
  const { groups, done, refuse } = deps;
  return {
    async together(taken) {
      // Grouped by kind and not by ecosystem: ecosystems are independent of each other.
      const group = [...taken.flatMap(({ jobs }) => jobs), ...taken.flatMap(({ reports }) => reports)];
      if (group.length === 0) return { kind: "made", left: new Set() };
      try {
        const committed = await groups.attemptFree(group);
        if (!committed) return { kind: "failed" };
        const left = group.filter(({ eco }) => !committed.ends.has(eco));
        if (left.length < group.length) done(committed, group.length - left.length);
        return { kind: "made", left: new Set(left.map(({ eco }) => eco)) };
      } catch (error) {
        if (!isOfAll(error)) return { kind: "failed" };
        const queues = taken.map(({ queue }) => queue);
        refuse(error, group, queues);
        return { kind: "refused", silence: isUnanswered(error) && error instanceof Error ? error : undefined };
      }
    },

    async briefly(taken) {
      if (deps.isHalted()) return { isDone: false, isSuspect: false };
      const group = jobsOf(taken);
      try {
        const whole = await groups.attempt(group, false, true);
        const committed = whole ?? (await groups.attempt(group, true, true));
        if (committed) done(committed, group.length);
        return { isDone: committed !== undefined, isSuspect: whole === undefined };
      } catch (error) {
        if (!isOfAll(error)) return { isDone: false, isSuspect: isGivenUp(error) };
        refuse(error, group, [taken.queue]);
        return { isDone: true, isSuspect: false };
      }
    },

    alone: (taken) => deps.alone(jobsOf(taken), taken.queue),

    refuseWaiting(queue, silence) {
      for (const { caller } of queue.drain()) caller.reject(new StoreAway(silence));
    },
  };
}

function jobsOf({ jobs, reports }: Taken): readonly Job[] {
  return [...jobs, ...reports];
}

/** Whether a retry would fail too, or could repeat what may have been committed. */
function isOfAll(error: unknown): boolean {
  return error instanceof CommitInDoubt || error instanceof LeaseLost || isUnanswered(error);
}

/** Whether the database did not even report its own timeout. */
function isUnanswered(error: unknown): boolean {
  return isSilence(error) && !isGivenUp(error);
}
