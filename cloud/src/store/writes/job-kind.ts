/**
 * Kinds of jobs that are batched: consecutive jobs of one kind in a transaction share their statements for reading and
 * writing, however many they are. The reports of hubs are of such a kind.
 *
 * Invariants: a rejected job has changed nothing and is rejected alone; each job has its own events, numbered in the
 * order of the jobs.
 */
import type { BulkSql } from "../sql/sql.ts";
import type { Transaction } from "./remembered.ts";

/** A job that waits for its transaction. */
export interface Waiting {
  readonly eco: string;
  /** Jobs with the same kind are batched; undefined: runs alone. */
  readonly kind: object | undefined;
  /** Runs the job and those of its kind behind it; returns the outcome of each. @throws when nothing is done */
  run(sql: KindSql, jobs: Members): Promise<readonly JobEnd[]>;
  reject(error: unknown): void;
}

/** A job in a transaction. */
export interface Member {
  readonly waiting: Waiting;
  readonly tx: Transaction;
}

export type Members = readonly [Member, ...Member[]];

/** The outcome of a job, reported after the commit. */
export interface JobEnd {
  /** Whether its events and effects count. */
  readonly isDone: boolean;
  readonly answer: () => void;
}

export interface KindSql extends BulkSql {
  /** Adds a change whose result is not needed: it is sent with the next statements. A failure of it fails all of the jobs. */
  later(change: Promise<unknown>): void;
}

/** One of the batched jobs. Its events and effects go through its own transaction. */
export interface KindJob<I> {
  readonly tx: Transaction;
  readonly input: I;
}

/**
 * Returns the outcome of each job, in order. A rejected job must not have changed anything.
 * @throws when none of them can be done; each is then retried alone
 */
export type Together<I, O> = (sql: KindSql, jobs: readonly KindJob<I>[]) => Promise<readonly PromiseSettledResult<O>[]>;

interface Asked<I, O> {
  readonly input: I;
  readonly resolve: (value: O) => void;
}

export class JobKind<I, O> {
  readonly #together: Together<I, O>;
  readonly #asked = new WeakMap<Waiting, Asked<I, O>>();

  constructor(together: Together<I, O>) {
    this.#together = together;
  }

  /** Wraps a job of this kind. */
  waiting(eco: string, asked: Asked<I, O>, reject: (error: unknown) => void): Waiting {
    const waiting: Waiting = { eco, kind: this, reject, run: (sql, jobs) => this.#run(sql, jobs) };
    this.#asked.set(waiting, asked);
    return waiting;
  }

  async #run(sql: KindSql, jobs: Members): Promise<readonly JobEnd[]> {
    const own = jobs.flatMap(({ waiting, tx }) => {
      const asked = this.#asked.get(waiting);
      return asked ? [{ ...asked, tx, reject: waiting.reject }] : [];
    });
    const results = await this.#together(sql, own);
    return own.map(({ resolve, reject }, at): JobEnd => {
      const result = results[at];
      if (result?.status === "fulfilled") return { isDone: true, answer: () => resolve(result.value) };
      return { isDone: false, answer: () => reject(result?.reason) };
    });
  }
}

/** Splits the jobs of one transaction into batches of one kind, in order. */
export function inRuns(group: readonly Waiting[]): readonly Waiting[][] {
  const runs: Waiting[][] = [];
  for (const waiting of group) {
    const last = runs.at(-1);
    if (waiting.kind !== undefined && last?.[0]?.kind === waiting.kind) last.push(waiting);
    else runs.push([waiting]);
  }
  return runs;
}
