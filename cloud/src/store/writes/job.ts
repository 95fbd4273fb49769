/**
 * A write that waits for its transaction, and its part in one. Consecutive jobs of one kind share their statements for
 * reading and writing, however many they are. The reports of hubs are of such a kind.
 *
 * Invariants: a rejected job has changed nothing and is rejected alone; each job has its own events, numbered in the
 * order of the jobs; an attempt that is repeated starts with a new {@link Transaction}.
 */
import type { IdMaker } from "@porchlight/shared/kernel";
import { isContention } from "../sql/contention.ts";
import { isOutage } from "../sql/refusal.ts";
import type { BulkSql, Connection, Sql } from "../sql/sql.ts";

/** What a caller of the store does in its transaction. */
export type Work<T> = (tx: Transaction) => Promise<T>;

/** The part of an event that does not depend on its data. */
interface EventHead {
  /** Set when the ID must be known before the event is stored. */
  readonly id?: string | undefined;
  readonly type: string;
  readonly environmentId?: string | undefined;
}

/** An event to store in the transaction that causes it: `data` is the resource or the data of its type, `text` the JSON of it. */
export type NewEvent = EventHead & ({ readonly data: unknown; readonly text?: never } | { readonly text: string });

/** A job's part of one transaction, through which it reads and writes. */
export interface Transaction extends Sql {
  /** The ecosystem of the transaction; "" for a write that belongs to none. */
  readonly ecosystemId: string;
  /** Makes the IDs of new rows. */
  readonly ids: IdMaker;
  /** Wall clock, ms. */
  now(): number;
  /** Stores an event with this job. */
  append(event: NewEvent): void;
  /** Counts the bytes of commands that this job stores, for the size limit of commands ({@link Store.onCommandBytes}). */
  addCommandBytes(bytes: number): void;
  /** Runs once the job's effects are committed. */
  afterCommit(effect: () => void): void;
}

/** Dependencies that all jobs of a store share. */
export interface JobDeps extends Pick<Transaction, "ids" | "now"> {
  /** Called after the commit of a job with commands. */
  readonly onCommandBytes?: ((ecosystemId: string, bytes: number) => void) | undefined;
}

export interface KindSql extends BulkSql {
  /** Adds a change whose result is not needed: it is sent with the next statements. A failure of it fails all of the jobs. */
  later(change: Promise<unknown>): void;
}

/** Jobs that are batched: those of one kind, compared by identity. */
export interface JobKind<I, O> {
  /**
   * Returns the outcome of each job, in order. A rejected job must not have changed anything.
   * @throws when none of them can be done; each is then retried alone
   */
  together(sql: KindSql, jobs: readonly Job<I, O>[]): Promise<readonly PromiseSettledResult<O>[]>;
}

/** The kind of a job that runs alone: its input is its work. */
export const ALONE: JobKind<Work<unknown>, unknown> = {
  together: (_sql, jobs) =>
    Promise.all(jobs.map(async ({ input, tx }) => ({ status: "fulfilled" as const, value: await input(tx) }))),
};

/** Whether the job belongs to a request: it is neither a report nor batched. */
export function isRequest({ kind, records }: Job): boolean {
  return kind === ALONE && records === undefined;
}

/** Who waits for the outcome of a job. */
interface Caller<O> {
  resolve(value: O): void;
  reject(error: unknown): void;
}

export class Job<I = unknown, O = unknown> {
  readonly eco: string;
  readonly kind: JobKind<I, O>;
  readonly input: I;
  /** Number of records of a report, which waits behind all other jobs; undefined for any other job. */
  readonly records: number | undefined;
  readonly caller: Caller<O>;
  /** Its part of the present transaction, and its outcome there. */
  tx!: JobTransaction;
  result: PromiseSettledResult<O> | undefined;

  constructor(eco: string, kind: JobKind<I, O>, input: I, records: number | undefined, caller: Caller<O>) {
    this.eco = eco;
    this.kind = kind;
    this.input = input;
    this.records = records;
    this.caller = caller;
  }

  /** Whether its events and effects count. */
  get isDone(): boolean {
    return this.result?.status === "fulfilled";
  }

  /** Reports the outcome to the caller, after the commit. */
  answer(): void {
    const { result } = this;
    if (result?.status === "fulfilled") this.caller.resolve(result.value);
    else this.caller.reject(result?.reason);
  }
}

/** A job has thrown; `cause` is its error. */
export class JobFailed extends Error {
  constructor(cause: unknown) {
    super("a job of the group has failed", { cause });
  }
}

/** The error as the transaction sees it: a failure of the job, or of the database. */
function jobFailure(error: unknown): unknown {
  return isOutage(error) || isContention(error) ? error : new JobFailed(error);
}

/** Marks a failure of the change as the jobs' own, and lets it occur before the promise is awaited. */
export function guarded(change: Promise<unknown>): Promise<unknown> {
  const marked = change.catch((error: unknown) => Promise.reject(jobFailure(error)));
  marked.catch(() => undefined);
  return marked;
}

/** A single job's view of the transaction of its group: statements run at once, events and effects are collected. */
export class JobTransaction implements Transaction {
  readonly ecosystemId: string;
  readonly ids: IdMaker;
  readonly now: () => number;
  readonly build: Sql["build"];
  readonly query: Sql["query"];
  readonly change: Sql["change"];
  readonly all: Sql["all"];
  readonly run: Sql["run"];
  readonly events: NewEvent[] = [];
  /** Run after the commit. */
  readonly effects: (() => void)[] = [];
  readonly #deps: JobDeps;

  constructor(sql: Sql, eco: string, deps: JobDeps) {
    this.ecosystemId = eco;
    this.ids = deps.ids;
    this.now = deps.now;
    this.build = sql.build;
    this.query = (query) => sql.query(query);
    this.change = (query) => sql.change(query);
    this.all = (statement, params) => sql.all(statement, params);
    this.run = (statement, params) => sql.run(statement, params);
    this.#deps = deps;
  }

  append(event: NewEvent): void {
    this.events.push(event);
  }

  addCommandBytes(bytes: number): void {
    this.effects.push(() => this.#deps.onCommandBytes?.(this.ecosystemId, bytes));
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }
}

/** The jobs of one transaction that are batched, or a single one. */
export class Run {
  readonly jobs: readonly Job[];
  readonly #connection: Connection;
  readonly #under: Promise<unknown>[];
  readonly #opened: Promise<void> | undefined;
  #done: Promise<void> | undefined;

  /**
   * @param under receives the statements still in flight when they are done
   * @param opened releases the results of a batch's reads, so that it writes nothing before
   */
  constructor(jobs: readonly Job[], connection: Connection, under: Promise<unknown>[], opened?: Promise<void>) {
    this.jobs = jobs;
    this.#connection = connection;
    this.#under = under;
    this.#opened = opened;
  }

  /** Runs the jobs, once, and sets their results. @throws JobFailed, or the error of the transaction */
  start(deps: JobDeps, before?: (what: "job") => void): Promise<void> {
    if (!this.#done) {
      this.#done = this.#run(deps, before);
      // It may fail before it is awaited.
      this.#done.catch(() => undefined);
    }
    return this.#done;
  }

  /** Resolves when the jobs send no more statements. */
  async over(): Promise<void> {
    await this.#done?.catch(() => undefined);
  }

  async #run(deps: JobDeps, before?: (what: "job") => void): Promise<void> {
    for (const job of this.jobs) job.tx = new JobTransaction(this.#connection, job.eco, deps);
    try {
      for (const _job of this.jobs) before?.("job");
      const results = await this.jobs[0]?.kind.together(this.#sql(), this.jobs);
      for (const [at, job] of this.jobs.entries()) job.result = results?.[at];
    } catch (error) {
      throw jobFailure(error);
    }
  }

  #sql(): KindSql {
    const sql = this.#connection;
    return {
      build: sql.build,
      query: (query) => sql.query(query),
      change: (query) => sql.change(query),
      all: (statement, params) => sql.all(statement, params),
      run: (statement, params) => sql.run(statement, params),
      allOf: async (bulk, rows) => {
        const answer = sql.allOf(bulk, rows);
        // It may fail before it is awaited.
        answer.catch(() => undefined);
        await this.#opened;
        return answer;
      },
      runOf: (bulk, rows) => sql.runOf(bulk, rows),
      later: (change) => void this.#under.push(guarded(change)),
    };
  }
}

/** Splits the jobs of one transaction into batches of one kind, in order. */
export function inRuns(group: readonly Job[]): readonly Job[][] {
  const runs: Job[][] = [];
  for (const job of group) {
    const last = runs.at(-1);
    if (job.kind !== ALONE && last?.[0]?.kind === job.kind) last.push(job);
    else runs.push([job]);
  }
  return runs;
}
