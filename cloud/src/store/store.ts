/** The cloud's store: `of` a tenant, `service` for the few queries that cross tenants, `write` for all changes. */

import type { Clock, IdMaker } from "@porchlight/shared/kernel";
import type { SelectQueryBuilder } from "kysely";
import { migrate } from "./migrate.ts";
import { JointCommits, jointWork } from "./postgres/joint-commits.ts";
import { openPostgres } from "./postgres/postgres.ts";
import type { PostgresLimits } from "./postgres/postgres-pools.ts";
import type { Bulk } from "./sql/bulk.ts";
import { GatheredReads } from "./sql/gathered-reads.ts";
import {
  CommitInDoubt,
  type OutageListener,
  Outages,
  type StoreWork,
  storeRefusal,
  watchedReads,
} from "./sql/refusal.ts";
import type { BulkReads, Database, Sql } from "./sql/sql.ts";
import type { Bound } from "./sql/statement.ts";
import { openSqlite } from "./sqlite.ts";
import type { Tables, TenantTable } from "./tables/tables.ts";
import { requireUsableFiles, requireUsablePlace, unusable } from "./unusable.ts";
import { type DoubtListener, Doubts } from "./writes/doubts.ts";
import type { JobKind, Work } from "./writes/job.ts";
import { type Memory, Remembered } from "./writes/remembered.ts";
import { SetAside } from "./writes/set-aside.ts";
import { type Commit, WriteCoordinator } from "./writes/write-coordinator.ts";
import { type Fence, SERVICE } from "./writes/write-group.ts";

/**
 * Lets a test fail reads outside transactions, as the `before` hook of jobs and commits fails writes.
 * @param before called before each read: an error of it counts as the database's refusal
 */
function refusedReads(sql: BulkReads, before: () => void): BulkReads {
  const refusable = async <T>(read: () => Promise<T>): Promise<T> => {
    try {
      before();
    } catch (error) {
      throw storeRefusal(error);
    }
    return read();
  };
  return {
    build: sql.build,
    query: (query) => refusable(() => sql.query(query)),
    change: (query) => refusable(() => sql.change(query)),
    all: (statement, params) => refusable(() => sql.all(statement, params)),
    run: (statement, params) => refusable(() => sql.run(statement, params)),
    allOf: (bulk, rows) => refusable(() => sql.allOf(bulk, rows)),
  };
}

interface StoreOptions {
  /** A file path, or `postgres://…`. */
  readonly location: string;
  readonly clock: Clock;
  readonly ids: IdMaker;
  /** Called when a connection to the database breaks; the pool replaces it. */
  readonly onLost?: (error: Error) => void;
  /** Notified when the database stops working, and when it works again. */
  readonly outages?: OutageListener | undefined;
  /** Timeouts on PostgreSQL that replace the defaults. */
  readonly limits?: PostgresLimits | undefined;
  /** Whether reads on PostgreSQL have no statement timeout: for commands that read whole tables. */
  readonly patient?: boolean | undefined;
  /** For `test/world`: called before each job and each commit; an error of it counts as the database's refusal. */
  readonly before?: ((what: "job" | "commit") => void) | undefined;
  /** For `test/world`: called before each read outside a job. */
  readonly beforeReading?: (() => void) | undefined;
}

/** Notified that an ecosystem's event log has grown up to `sequence`. */
export type EventsListener = (ecosystemId: string, sequence: number) => void;

/** Notified when this process has stored bytes of commands in an ecosystem. */
type CommandBytesListener = (ecosystemId: string, bytes: number) => void;

export class Store implements AsyncDisposable {
  /** Sets aside records that a batch loop cannot process. */
  readonly setAside: SetAside;
  readonly #database: Database;
  readonly #reader: BulkReads;
  readonly #coordinator: WriteCoordinator;
  readonly #listeners = new Set<EventsListener>();
  readonly #commitListeners = new Set<(commit: Commit) => void>();
  readonly #commandListeners = new Set<CommandBytesListener>();
  readonly #remembered = new Remembered();
  readonly #outages: Outages;
  readonly #doubts: Doubts;
  readonly #doubtListeners = new Set<DoubtListener>();
  readonly #before: StoreOptions["before"];
  #fence: Fence | undefined;
  #closed: Promise<void> | undefined;
  readonly #write = <T>(ecosystemId: string, work: Work<T>) => this.#coordinator.write(ecosystemId, work);

  private constructor(database: Database, options: StoreOptions) {
    this.#database = database;
    this.#before = options.before;
    this.setAside = new SetAside(options.clock);
    const { beforeReading } = options;
    this.#outages = new Outages(options.clock, options.outages);
    this.#doubts = new Doubts(options.clock, (ecosystemId) => {
      for (const listener of this.#doubtListeners) listener(ecosystemId);
    });
    const reader = beforeReading ? refusedReads(database.reader, beforeReading) : database.reader;
    this.#reader = watchedReads(reader, this.#outages);
    this.#coordinator = new WriteCoordinator({
      database,
      ids: options.ids,
      now: () => options.clock.now(),
      joint: database.dialect === "postgres" ? (deps) => new JointCommits(options.clock, jointWork(deps)) : undefined,
      fence: () => this.#fence,
      before: options.before,
      onCommandBytes: (ecosystemId, bytes) => {
        for (const listener of this.#commandListeners) listener(ecosystemId, bytes);
      },
      onRefused: (error, ecosystemIds) => {
        this.#outages.failed("writes", error);
        if (error instanceof CommitInDoubt) this.#doubts.began(ecosystemIds);
        else this.#doubts.failed();
      },
      onCommit: (commit) => {
        this.#outages.worked("writes");
        this.#doubts.committed(commit.versions.keys());
        for (const listener of this.#commitListeners) listener(commit);
        for (const [ecosystemId, sequence] of commit.sequences) this.tellEvents(ecosystemId, sequence);
      },
    });
  }

  /** Opens and migrates the database. @throws SchemaTooNew, DatabaseUnusable */
  static async open(options: StoreOptions): Promise<Store> {
    try {
      const database = openDatabase(options);
      try {
        await migrate(database, options.ids);
      } catch (error) {
        await database.close();
        throw error;
      }
      return new Store(database, options);
    } catch (error) {
      throw unusable(options.location, error);
    }
  }

  get dialect(): "sqlite" | "postgres" {
    return this.#database.dialect;
  }

  /** Reads across tenants; each may throw "Service Unavailable". Only `service-queries` files may use it; the architecture test lists them. */
  get service(): Sql {
    return this.#reader;
  }

  /** Reads of one tenant: every query is confined to its ecosystem. */
  of(ecosystemId: string): TenantReader {
    return new TenantReader(this.#reader, ecosystemId);
  }

  /** Reads that share statements with concurrent ones, also of other tenants: each row of values names its own tenant. */
  gathered<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>): GatheredReads<P, R> {
    return new GatheredReads(this.#reader, bulk);
  }

  /**
   * Runs a job in the next transaction of its ecosystem (see {@link WriteCoordinator}).
   * @throws what the job throws, or "Service Unavailable"
   */
  write<T>(ecosystemId: string, work: Work<T>): Promise<T> {
    return this.#remembered.write(this.#write, ecosystemId, work);
  }

  /**
   * Writes as {@link write} does, for a job that stores a hub's reports: behind all other jobs, and in the order of its
   * ecosystem's reports.
   * @param records number of records, or their equivalent in cost: the job's share of a transaction
   * @throws what the job throws, or "Service Unavailable"
   */
  writeReport<T>(ecosystemId: string, records: number, work: Work<T>): Promise<T> {
    return this.#remembered.write((eco, kept) => this.#coordinator.write(eco, kept, records), ecosystemId, work);
  }

  /** Writes as {@link write} does, for a job that is batched with others of its kind and belongs to no request. */
  writeOf<I, O>(kind: JobKind<I, O>, ecosystemId: string, input: I): Promise<O> {
    return this.#remembered.without(() => this.#coordinator.writeOf(kind, ecosystemId, input));
  }

  /** Writes as {@link writeReport} does, for a job that is batched with others of its kind: no request remembers the reports of hubs. */
  writeReportOf<I, O>(kind: JobKind<I, O>, ecosystemId: string, records: number, input: I): Promise<O> {
    return this.#remembered.without(() => this.#coordinator.writeOf(kind, ecosystemId, input, records));
  }

  /** A change that belongs to no ecosystem. @throws what the job throws, or "Service Unavailable" */
  writeService<T>(work: Work<T>): Promise<T> {
    return this.#remembered.write(this.#write, SERVICE, work);
  }

  /** The only change without a lease: the one that takes it. @throws "Service Unavailable" */
  async writeUnfenced(change: (sql: Sql) => Promise<unknown>): Promise<void> {
    try {
      this.#before?.("job");
      await this.#database.withWriter(change);
    } catch (error) {
      const refusal = storeRefusal(error);
      this.#outages.failed("writes", refusal);
      throw refusal;
    }
    this.#outages.worked("writes");
  }

  /** Runs a request with a memory of its writes and their values, so that a repeated attempt does not write twice. */
  remembering<T>(memory: Memory, work: () => Promise<T>): Promise<T> {
    return this.#remembered.during(memory, work);
  }

  /** The node whose lease all writes depend on; "" without one. */
  get nodeId(): string {
    return this.#fence?.nodeId ?? "";
  }

  /** Why the database does not work, as reads and writes have found; undefined while it works. */
  get outage(): Outages["now"] {
    return this.#outages.now;
  }

  /** Whether the database does this kind of work, as reads and writes have found. */
  isAvailable(work: StoreWork): boolean {
    return this.#outages.isAvailable(work);
  }

  /** Jobs that wait to be written, and the commits since the start. */
  get work(): WriteCoordinator["work"] {
    return this.#coordinator.work;
  }

  /** Makes every further write depend on this lease. */
  fenceBy(fence: Fence | undefined): void {
    this.#fence = fence;
  }

  /** Notifies of each commit of this process, before its callers are answered. Returns how to unsubscribe. */
  onCommits(listener: (commit: Commit) => void): () => void {
    this.#commitListeners.add(listener);
    return () => void this.#commitListeners.delete(listener);
  }

  /** Returns how to unsubscribe. */
  onCommandBytes(listener: CommandBytesListener): () => void {
    this.#commandListeners.add(listener);
    return () => void this.#commandListeners.delete(listener);
  }

  /** Notifies of ecosystems with a commit in doubt, whose caches must be read again. Returns how to unsubscribe. */
  onDoubt(listener: DoubtListener): () => void {
    this.#doubtListeners.add(listener);
    return () => void this.#doubtListeners.delete(listener);
  }

  /** Reports that another process has appended to an event log. */
  tellEvents(ecosystemId: string, sequence: number): void {
    for (const listener of this.#listeners) listener(ecosystemId, sequence);
  }

  /** The database's wall clock, ms; undefined where the process's is as good. @throws "Service Unavailable" */
  databaseTime(): Promise<number> | undefined {
    return this.#database.time?.();
  }

  /** Returns how to unsubscribe. */
  onEvents(listener: EventsListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stops as if the process died: jobs that wait to be written are lost. */
  kill(): Promise<void> {
    this.#coordinator.halt();
    return this[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#coordinator.idle().then(() => this.#database.close());
    return this.#closed;
  }
}

function openDatabase({ location, onLost = () => undefined, limits, patient }: StoreOptions): Database {
  if (/^postgres(ql)?:\/\//.test(location)) {
    requireUsableFiles(location);
    return openPostgres({ url: location, onLost, limits, patient });
  }
  requireUsablePlace(location);
  return openSqlite(location);
}

/** Reads the data of one tenant. */
export class TenantReader {
  readonly sql: Sql;
  readonly ecosystemId: string;

  constructor(sql: Sql, ecosystemId: string) {
    this.sql = sql;
    this.ecosystemId = ecosystemId;
  }

  /** Begins a query on a tenant table, confined to the tenant; run it with `sql.query`. */
  from<T extends TenantTable>(table: T): SelectQueryBuilder<Tables, T, object> {
    // Kysely cannot see through the type parameter that each of these tables has the column.
    const query = this.sql.build.selectFrom<TenantTable>(table).where("ecosystem_id", "=", this.ecosystemId);
    return query as unknown as SelectQueryBuilder<Tables, T, object>;
  }
}

/** Whether a write failed because a unique index already has the value. */
export function isUniqueViolation(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY";
}
