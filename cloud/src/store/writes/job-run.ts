/**
 * Runs a batch of one kind, or a single job, within a transaction: collects its events and effects, and distinguishes a
 * failed job from a failed transaction.
 */
import { isContention } from "../postgres/contention.ts";
import { isOutage } from "../sql/refusal.ts";
import type { Connection } from "../sql/sql.ts";
import type { JobEnd, KindSql, Waiting } from "./job-kind.ts";
import { type JobDeps, JobTransaction, type NewEvent } from "./remembered.ts";

/** A job has thrown; `cause` is its error. */
export class JobFailed extends Error {
  constructor(cause: unknown) {
    super("a job of the group has failed", { cause });
  }
}

export function jobFailure(error: unknown): unknown {
  return isOutage(error) || isContention(error) ? error : new JobFailed(error);
}

/** A completed job. */
export interface Done {
  readonly eco: string;
  readonly events: readonly NewEvent[];
  readonly effects: readonly (() => void)[];
  readonly ended: JobEnd;
}

export interface RunDeps extends JobDeps {
  readonly before?: ((what: "job") => void) | undefined;
}

export class Run {
  readonly #deps: RunDeps;
  readonly #connection: Connection;
  readonly #jobs: readonly Waiting[];
  readonly #under: Promise<unknown>[];
  readonly #opened: Promise<void> | undefined;
  #done: Promise<readonly Done[]> | undefined;

  /**
   * @param jobs of one kind, or a single one
   * @param under receives the statements still in flight when they are done
   * @param opened releases the results of a batch's reads, so that it writes nothing before
   */
  constructor(
    deps: RunDeps,
    connection: Connection,
    jobs: readonly Waiting[],
    under: Promise<unknown>[],
    opened?: Promise<void>,
  ) {
    this.#deps = deps;
    this.#connection = connection;
    this.#jobs = jobs;
    this.#under = under;
    this.#opened = opened;
  }

  /** Runs the jobs, once. @throws JobFailed, or the error of the transaction */
  start(): Promise<readonly Done[]> {
    if (!this.#done) {
      this.#done = this.#run();
      // It may fail before it is awaited.
      this.#done.catch(() => undefined);
    }
    return this.#done;
  }

  /** Resolves when the jobs send no more statements. */
  async over(): Promise<void> {
    await this.#done?.catch(() => undefined);
  }

  async #run(): Promise<readonly Done[]> {
    const members = this.#jobs.map((waiting) => {
      const [events, effects]: [NewEvent[], (() => void)[]] = [[], []];
      const tx = new JobTransaction(this.#connection, waiting.eco, this.#deps, events, effects);
      return { waiting, tx, eco: waiting.eco, events, effects };
    });
    const [first, ...others] = members;
    if (!first) return [];
    try {
      for (const _job of members) this.#deps.before?.("job");
      const ended = await first.waiting.run(this.#sql(), [first, ...others]);
      return members.flatMap(({ eco, events, effects }, at) => {
        const own = ended[at];
        return own ? [{ eco, events, effects, ended: own }] : [];
      });
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
        const asked = sql.allOf(bulk, rows);
        // It may fail before it is awaited.
        asked.catch(() => undefined);
        await this.#opened;
        return asked;
      },
      runOf: (bulk, rows) => sql.runOf(bulk, rows),
      later: (change) => {
        const told = change.catch((error: unknown) => Promise.reject(jobFailure(error)));
        told.catch(() => undefined);
        this.#under.push(told);
      },
    };
  }
}
