/**
 * The transactions of {@link JointCommits}: one over all that it has taken, and one for each ecosystem when that fails.
 * It decides which errors concern the other ecosystems too.
 */
import { isGivenUp } from "../postgres/contention.ts";
import { CommitInDoubt, isSilence, StoreAway } from "../sql/refusal.ts";
import type { Waiting } from "./job-kind.ts";
import { type Committed, type Groups, LeaseLost } from "./write-group.ts";
import type { WriteQueue } from "./write-queue.ts";

/** The work taken from one ecosystem's queue. */
export interface Taken {
  readonly eco: string;
  readonly queue: WriteQueue;
  readonly jobs: readonly Waiting[];
  /** They run after the jobs. */
  readonly reports: readonly Waiting[];
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

export interface JointWorkDeps {
  readonly groups: Pick<Groups, "attempt" | "attemptFree">;
  /** Whether writing has stopped. */
  readonly isHalted: () => boolean;
  readonly done: (committed: Committed, jobs: number) => void;
  /** Answers the callers of the jobs and, when the database is silent, those of the queues behind them. */
  readonly refuse: (error: unknown, jobs: readonly Waiting[], behind: readonly WriteQueue[]) => void;
  readonly alone: (jobs: readonly Waiting[], queue: WriteQueue) => Promise<void>;
}

export function jointWork(deps: JointWorkDeps): JointWork {
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
        if (!isEverybodys(error)) return { kind: "failed" };
        const queues = taken.map(({ queue }) => queue);
        refuse(error, group, queues);
        return { kind: "refused", silence: isUnheard(error) && error instanceof Error ? error : undefined };
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
        if (!isEverybodys(error)) return { isDone: false, isSuspect: isGivenUp(error) };
        refuse(error, group, [taken.queue]);
        return { isDone: true, isSuspect: false };
      }
    },

    alone: (taken) => deps.alone(jobsOf(taken), taken.queue),

    refuseWaiting(queue, silence) {
      for (const waiting of queue.drain()) waiting.reject(new StoreAway(silence));
    },
  };
}

function jobsOf({ jobs, reports }: Taken): readonly Waiting[] {
  return [...jobs, ...reports];
}

/** Whether a retry would fail too, or could repeat what may have been committed. */
function isEverybodys(error: unknown): boolean {
  return error instanceof CommitInDoubt || error instanceof LeaseLost || isUnheard(error);
}

/** Whether the database did not even report its own timeout. */
function isUnheard(error: unknown): boolean {
  return isSilence(error) && !isGivenUp(error);
}
