/** What is done for {@link JointCommits}: one transaction over what it has taken, and again for each ecosystem when that fails. What an error means for the others is decided here. */
import { isGivenUp } from "../postgres/contention.ts";
import { CommitInDoubt, isSilence, StoreAway } from "../sql/refusal.ts";
import type { Waiting } from "./job-kind.ts";
import { type Committed, type Groups, LeaseLost } from "./write-group.ts";
import type { WriteQueue } from "./write-queue.ts";

/** What a transaction has taken of an ecosystem. */
export interface Taken {
  readonly eco: string;
  readonly queue: WriteQueue;
  readonly jobs: readonly Waiting[];
  /** They come behind the jobs. */
  readonly reports: readonly Waiting[];
}

export type JointEnd =
  /** But for ecosystems whose row another transaction holds. */
  | { readonly kind: "made"; readonly left: ReadonlySet<string> }
  /** All have been told. @param silence when nothing was heard of the database */
  | { readonly kind: "refused"; readonly silence?: Error | undefined }
  /** Nothing of it is done, and one of them may be the reason. */
  | { readonly kind: "failed" };

export interface BriefEnd {
  readonly isDone: boolean;
  /** Whether it would make another transaction fail. */
  readonly isSuspect: boolean;
}

export interface JointWork {
  /** One transaction over all of it, in which no statement takes long. */
  together(taken: readonly Taken[]): Promise<JointEnd>;
  /** The same for one ecosystem. */
  briefly(taken: Taken): Promise<BriefEnd>;
  /** However long that takes. Settles when its callers have been told. */
  alone(taken: Taken): Promise<void>;
  /** Refuses all that waits there. */
  refuseWaiting(queue: WriteQueue, silence: Error): void;
}

export interface JointWorkDeps {
  readonly groups: Pick<Groups, "attempt" | "attemptFree">;
  /** Whether nothing is to be written any more. */
  readonly isHalted: () => boolean;
  readonly done: (committed: Committed, jobs: number) => void;
  /** Tells the callers of the jobs, and when the database is silent those behind them. */
  readonly refuse: (error: unknown, jobs: readonly Waiting[], behind: readonly WriteQueue[]) => void;
  readonly alone: (jobs: readonly Waiting[], queue: WriteQueue) => Promise<void>;
}

export function jointWork(deps: JointWorkDeps): JointWork {
  const { groups, done, refuse } = deps;
  return {
    async together(taken) {
      // By kind rather than by ecosystem: what one does is nothing to another.
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

/** Whether another attempt would fare no better, or would do twice what may have been done. */
function isEverybodys(error: unknown): boolean {
  return error instanceof CommitInDoubt || error instanceof LeaseLost || isUnheard(error);
}

/** Whether the database has not even said that it gives up. */
function isUnheard(error: unknown): boolean {
  return isSilence(error) && !isGivenUp(error);
}
