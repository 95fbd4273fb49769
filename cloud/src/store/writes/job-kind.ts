/**
 * Kinds of jobs that are done together: those of a kind that come one after another in a transaction are one piece of work, so that what
 * they read and what they write is one statement each, however many they are. What hubs report is of such a kind.
 *
 * Invariants: a job that is rejected has changed nothing and is rejected alone; the events of each are its own, numbered in the order of the jobs.
 */
import type { BulkSql } from "../sql/sql.ts";
import type { Transaction } from "./remembered.ts";

/** A job that waits for its transaction. */
export interface Waiting {
  readonly eco: string;
  /** Whoever has the same is done together with it; undefined: alone. */
  readonly kind: object | undefined;
  /** Does it, and the others of its kind that come behind it; gives what became of each. @throws when nothing is done */
  run(sql: KindSql, jobs: Members): Promise<readonly JobEnd[]>;
  reject(error: unknown): void;
}

/** A job in a transaction. */
export interface Member {
  readonly waiting: Waiting;
  readonly tx: Transaction;
}

export type Members = readonly [Member, ...Member[]];

/** What became of a job, to be told once it is committed. */
export interface JobEnd {
  /** Whether its events and effects count. */
  readonly isDone: boolean;
  readonly answer: () => void;
}

export interface KindSql extends BulkSql {
  /** A change of which nothing has to be known but that it is made: it goes with what comes next. What fails there fails all of the jobs. */
  later(change: Promise<unknown>): void;
}

/** One of the jobs that are done together. Its events and effects go through its own transaction. */
export interface KindJob<I> {
  readonly tx: Transaction;
  readonly input: I;
}

/**
 * Gives what became of each, in their order. A job that is rejected must not have changed anything.
 * @throws when none of them can be done; each is then tried alone
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

  /** A job of this kind. */
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

/** Jobs of one transaction as pieces of work, in their order. */
export function inRuns(group: readonly Waiting[]): readonly Waiting[][] {
  const runs: Waiting[][] = [];
  for (const waiting of group) {
    const last = runs.at(-1);
    if (waiting.kind !== undefined && last?.[0]?.kind === waiting.kind) last.push(waiting);
    else runs.push([waiting]);
  }
  return runs;
}
