/**
 * One transaction of the write coordinator: it proves the lease, locks the counter rows, runs the jobs one after
 * another, numbers their events, and commits everything together or nothing. The coordinator decides which jobs share a
 * group.
 *
 * On PostgreSQL the first job's reads share the pipelined batch that begins the transaction, and the last job's writes
 * share that of the commit: a transaction of jobs of one kind takes two round trips.
 */
import { NamedError } from "@porchlight/shared/kernel";
import { allOfThem, type Connection, type Database } from "../sql/sql.ts";
import { statement } from "../sql/statement.ts";
import {
  appended,
  insertEvents,
  type LogEnd,
  NO_LOG,
  setCounters,
  takeCounter,
  takeFreeCounters,
} from "./event-log.ts";
import { ALONE, guarded, inRuns, type Job, type JobDeps, JobFailed, Run } from "./job.ts";

/** The node whose lease every write depends on. */
export interface Fence {
  readonly nodeId: string;
  readonly lease: number;
}

/** Key of the queue and the ecosystem for writes that belong to no ecosystem. */
export const SERVICE = "";

const checkFence = statement<{ node: string; lease: number }>("check_fence")((db, p) =>
  db.selectFrom("nodes").select("id").where("id", "=", p.node).where("lease", "=", p.lease),
);

/** The results of a transaction, reported after its commit. */
export class Committed {
  readonly answers: (() => void)[] = [];
  readonly effects: (() => void)[] = [];
  /** Newest sequence of each ecosystem with new events. */
  readonly newest = new Map<string, number>();
  /** Ecosystems whose log has grown past another 16 MiB. */
  readonly grown = new Set<string>();
  /** End of the log of each ecosystem whose counter row the transaction has locked. */
  readonly ends = new Map<string, LogEnd>();
  /** Version of each of them. */
  readonly versions = new Map<string, number>();

  /** Adds the results of a part of the transaction. */
  add(part: Committed): void {
    this.answers.push(...part.answers);
    this.effects.push(...part.effects);
    for (const [eco, sequence] of part.newest) this.newest.set(eco, sequence);
    for (const eco of part.grown) this.grown.add(eco);
    for (const [eco, end] of part.ends) this.ends.set(eco, end);
    for (const [eco, version] of part.versions) this.versions.set(eco, version);
  }
}

/** Another node has found this one's lease expired. */
export class LeaseLost extends NamedError {
  constructor() {
    super("Service Unavailable", "This node lost its lease and cannot write.", { retryAfter: 1 });
  }
}

/** Each of the ecosystems is in another transaction. */
class NoneFree extends Error {}

export interface GroupDeps extends JobDeps {
  readonly database: Database;
  readonly fence: () => Fence | undefined;
  /** For `test/world`: called before each job and each commit; an error of it counts as the database's refusal. */
  readonly before?: ((what: "job" | "commit") => void) | undefined;
}

export class Groups {
  readonly #deps: GroupDeps;

  constructor(deps: GroupDeps) {
    this.#deps = deps;
  }

  /**
   * Runs one transaction over the whole group.
   * @param apart runs each job behind its own savepoint; otherwise the first failure ends the attempt with undefined
   * @param isBrief fails early instead of taking long
   */
  attempt(group: readonly Job[], apart: boolean, isBrief = false): Promise<Committed | undefined> {
    const ecos = apart ? [] : ecosystemsOf(group);
    return this.#transaction(async (connection, committed, under, early) => {
      const [first, ...others] = apart ? [] : inRuns(group).map((jobs) => new Run(jobs, connection, under));
      await connection.begin(() => {
        const opening = [this.#proveLease(connection), ...ecos.map((eco) => this.#take(connection, eco, committed))];
        early.run = first;
        if (first) void this.#start(first);
        return opening;
      }, isBrief);
      for (const run of first ? [first, ...others] : []) {
        await this.#start(run);
        this.#store(connection, run.jobs, committed, under);
      }
      if (apart) for (const job of group) await this.#runApart(connection, job, committed);
    });
  }

  /**
   * Runs a brief transaction over jobs of several ecosystems, without those whose counter row another transaction
   * holds: it does not wait. The ecosystems left out are missing from the committed `ends`. On PostgreSQL only.
   */
  attemptFree(group: readonly Job[]): Promise<Committed | undefined> {
    const ecos = ecosystemsOf(group);
    return this.#transaction(async (connection, committed, under, early) => {
      const [only] = ecos.length === 1 ? inRuns(group) : [];
      const opened = Promise.withResolvers<void>();
      opened.promise.catch(() => undefined);
      // With several ecosystems, the jobs to run are known only once the counter rows are locked.
      if (only && only[0]?.kind !== ALONE) early.run = new Run(only, connection, under, opened.promise);
      try {
        await connection.begin(() => {
          const opening = [this.#proveLease(connection), this.#takeFree(connection, ecos, committed)];
          if (early.run) void this.#start(early.run);
          return opening;
        }, true);
        if (committed.ends.size === 0) throw new NoneFree();
        opened.resolve();
      } catch (error) {
        opened.reject(error);
        throw error;
      }
      const free = group.filter(({ eco }) => committed.ends.has(eco));
      for (const [at, jobs] of inRuns(free).entries()) {
        const run = (at === 0 ? early.run : undefined) ?? new Run(jobs, connection, under);
        await this.#start(run);
        this.#store(connection, run.jobs, committed, under);
      }
    });
  }

  #start(run: Run): Promise<void> {
    return run.start(this.#deps, this.#deps.before);
  }

  /**
   * @param work runs the jobs; the statements that it leaves in `under` go with the commit, in order; `early` is a run
   * that it has not awaited
   */
  #transaction(
    work: (
      connection: Connection,
      committed: Committed,
      under: Promise<unknown>[],
      early: { run?: Run | undefined },
    ) => Promise<void>,
  ): Promise<Committed | undefined> {
    return this.#deps.database.withWriter(async (connection) => {
      const committed = new Committed();
      const under: Promise<unknown>[] = [];
      const early: { run?: Run | undefined } = {};
      try {
        await work(connection, committed, under, early);
        this.#count(connection, committed, under);
        this.#deps.before?.("commit");
        await connection.commit(under);
        return committed;
      } catch (error) {
        // No statement of it may follow the end of the transaction.
        await early.run?.over();
        await connection.rollback().catch(() => undefined);
        if (error instanceof JobFailed) return undefined;
        if (error instanceof NoneFree) return new Committed();
        throw error;
      }
    });
  }

  async #runApart(connection: Connection, job: Job, committed: Committed): Promise<void> {
    const { eco } = job;
    const own = new Committed();
    const held = committed.ends.get(eco);
    if (held) own.ends.set(eco, held);
    const under: Promise<unknown>[] = [];
    await connection.savepoint();
    try {
      if (eco !== SERVICE && !held) await this.#take(connection, eco, own);
      await this.#start(new Run([job], connection, under));
      this.#store(connection, [job], own, under);
      await allOfThem(under);
      await connection.releaseSavepoint();
      committed.add(own);
    } catch (error) {
      if (!(error instanceof JobFailed)) throw error;
      // The rollback has released a counter row that this job locked.
      await connection.rollbackToSavepoint();
      committed.answers.push(() => job.caller.reject(error.cause));
    }
  }

  async #take(connection: Connection, eco: string, { ends, versions }: Committed): Promise<void> {
    const [row] = await connection.all(takeCounter, { eco });
    ends.set(eco, { sequence: row?.sequence ?? 0, bytes: row?.log_bytes ?? 0 });
    versions.set(eco, row?.version ?? 0);
  }

  async #takeFree(connection: Connection, ecos: readonly string[], { ends, versions }: Committed): Promise<void> {
    for (const { eco, sequence, log_bytes, version } of await connection.all(takeFreeCounters, {
      ecos: ecos.join(","),
    })) {
      ends.set(eco, { sequence, bytes: log_bytes ?? 0 });
      versions.set(eco, version);
    }
  }

  /** Stores the events of jobs without waiting; later statements see them. */
  #store(connection: Connection, jobs: readonly Job[], committed: Committed, under: Promise<unknown>[]): void {
    const { ends, newest, grown, effects, answers } = committed;
    const rows = jobs.flatMap(({ eco, tx, isDone }) => {
      if (!isDone || tx.events.length === 0) return [];
      const more = appended(eco, this.#deps, ends.get(eco) ?? NO_LOG, tx.events);
      ends.set(eco, more.end);
      newest.set(eco, more.end.sequence);
      if (more.hasGrown) grown.add(eco);
      return more.rows;
    });
    if (rows.length > 0) under.push(guarded(connection.runOf(insertEvents, rows)));
    for (const job of jobs) {
      if (job.isDone) effects.push(...job.tx.effects);
      answers.push(() => job.answer());
    }
  }

  /** Stores the ends of the logs. */
  #count(connection: Connection, { newest, ends }: Committed, under: Promise<unknown>[]): void {
    const rows = [...newest].map(([eco, sequence]) => ({ eco, sequence, bytes: ends.get(eco)?.bytes ?? 0 }));
    if (rows.length > 0) under.push(guarded(connection.runOf(setCounters, rows)));
  }

  async #proveLease(connection: Connection): Promise<void> {
    const fence = this.#deps.fence();
    if (!fence) return;
    const rows = await connection.all(checkFence, { node: fence.nodeId, lease: fence.lease });
    if (rows.length === 0) throw new LeaseLost();
  }
}

/** The ecosystems that the group changes. */
function ecosystemsOf(group: readonly Job[]): string[] {
  return [...new Set(group.map(({ eco }) => eco))].filter((eco) => eco !== SERVICE);
}
