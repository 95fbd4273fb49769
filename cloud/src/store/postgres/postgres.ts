/** PostgreSQL as the store: a pool for reads and a pool for writes, so that a burst of reads never delays a commit. */
import { type Compilable, sql } from "kysely";
import pg from "pg";
import { type Bulk, ORDER } from "../sql/bulk.ts";
import { isStalePlan } from "../sql/contention.ts";
import { postgresCommitError, postgresError, StoreAway, storeRefusal } from "../sql/refusal.ts";
import { allOfThem, type BulkReads, type Connection, type Database } from "../sql/sql.ts";
import { type Bound, BUILDERS, type Build, type Statement } from "../sql/statement.ts";
import { LIMITS, lonelyClient, type PoolOptions, type PostgresLimits, readersOf, writersOf } from "./postgres-pools.ts";

/** Of each pool. */
const CONNECTIONS = 8;
/** SQLSTATE of a change that a read-only server rejects. */
const READ_ONLY = "25006";

export interface OpenPostgresOptions extends Pick<PoolOptions, "url" | "onLost"> {
  /** Defaults to {@link LIMITS}. */
  readonly limits?: PostgresLimits | undefined;
  /** Whether reads have no statement timeout. */
  readonly patient?: boolean | undefined;
}

/** @param options its `url` is `postgres://…` */
export function openPostgres(options: OpenPostgresOptions): Database {
  const pools: PoolOptions = { connections: CONNECTIONS, ...options, limits: options.limits ?? LIMITS };
  const writers = writersOf(pools);
  const readers = new Readers(() => readersOf(pools, options.patient ?? false));
  const reader = new PostgresSql(readers);
  return {
    dialect: "postgres",
    reader,
    async withWriter(work) {
      const client = await writers.connect().catch(refuse);
      const own = new OwnClient(client, options.onLost);
      let broken: unknown;
      try {
        const done = await work(new PostgresConnection(own, pools.limits));
        readers.writable();
        return done;
      } catch (error) {
        broken = error;
        if (isReadOnly(error)) readers.readOnly();
        throw error;
      } finally {
        own.leave();
        // A connection that hung would hang again for its next user.
        client.release(broken !== undefined || own.isGone);
      }
    },
    async withPatience(work) {
      const client = lonelyClient(pools);
      const own = new OwnClient(client, options.onLost);
      try {
        await client.connect().catch(refuse);
        return await work(new PostgresConnection(own, pools.limits));
      } finally {
        await client.end();
      }
    },
    async time() {
      const asked = sql<{ time: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as time`;
      const [row] = await reader.query({ compile: () => asked.compile(BUILDERS.postgres) });
      return row?.time ?? Number.NaN;
    },
    async close() {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

/**
 * The pool for reads. When the database accepts changes again after a while of refusing them, it may be another server:
 * connections to the old one, which may still answer with outdated rows, are closed.
 */
class Readers implements Queryable {
  readonly #open: () => pg.Pool;
  #pool: pg.Pool;
  #wasReadOnly = false;

  constructor(open: () => pg.Pool) {
    this.#open = open;
    this.#pool = open();
  }

  async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    // A newer node may have changed the tables: each connection that had prepared the statement is replaced.
    for (let stale = 0; stale < CONNECTIONS; stale++) {
      try {
        return await this.#pool.query(config);
      } catch (error) {
        if (!isStalePlan(error)) throw error;
      }
    }
    return this.#pool.query(config);
  }

  readOnly(): void {
    this.#wasReadOnly = true;
  }

  writable(): void {
    if (!this.#wasReadOnly) return;
    this.#wasReadOnly = false;
    const before = this.#pool;
    this.#pool = this.#open();
    // Reads in progress finish first.
    void before.end();
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

/** @throws "Service Unavailable" */
function refuse(error: unknown): never {
  throw postgresError(error, sqlStateOf(error));
}

function isReadOnly(error: unknown): boolean {
  return error instanceof StoreAway && sqlStateOf(error.cause) === READ_ONLY;
}

class PostgresSql implements BulkReads {
  readonly build: Build = BUILDERS.postgres;
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async query<R>(query: Compilable<R>): Promise<R[]> {
    const { sql, parameters } = query.compile();
    return (await this.ask({ text: sql, values: [...parameters] })).rows;
  }

  async change(query: Compilable<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return (await this.ask({ text: sql, values: [...parameters] })).rowCount ?? 0;
  }

  async all<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return (await this.#prepared(statement, params)).rows;
  }

  async run<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<number> {
    return (await this.#prepared(statement, params)).rowCount ?? 0;
  }

  #prepared<P extends Readonly<Record<string, Bound>>, R>(
    statement: Statement<P, R>,
    params: P,
  ): Promise<pg.QueryResult> {
    const { name, postgres } = statement;
    return this.ask({ name, text: postgres.sql, values: postgres.bind(params) });
  }

  async allOf<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>, rows: readonly P[]): Promise<R[][]> {
    if (rows.length < 2) return Promise.all(rows.map((row) => this.all(bulk.each, row)));
    const found: R[][] = rows.map(() => []);
    for (const row of (await this.many(bulk, rows)).rows) found[row[ORDER] - 1]?.push(row);
    return found;
  }

  protected many<P extends Readonly<Record<string, Bound>>, R>(
    { postgres: { name, sql, bind } }: Bulk<P, R>,
    rows: readonly P[],
  ): Promise<pg.QueryResult> {
    return this.ask({ name, text: sql, values: bind(rows) });
  }

  /** @throws "Service Unavailable" when server or connection is the cause */
  protected async ask(config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#db.query(config);
    } catch (error) {
      refuse(error);
    }
  }
}

class PostgresConnection extends PostgresSql implements Connection {
  readonly #client: OwnClient;
  readonly #limits: PostgresLimits;

  constructor(client: OwnClient, limits: PostgresLimits) {
    super(client);
    this.#client = client;
    this.#limits = limits;
  }

  async runOf<P extends Readonly<Record<string, Bound>>, R>(bulk: Bulk<P, R>, rows: readonly P[]): Promise<void> {
    if (rows.length < 2) await Promise.all(rows.map((row) => this.run(bulk.each, row)));
    else await this.many(bulk, rows);
  }

  async begin(first: () => readonly Promise<unknown>[] = () => [], isBrief = false): Promise<void> {
    await Promise.all([this.#control(isBrief ? this.#beginBrief() : "begin"), ...first()]);
  }

  /** A single text, so that it costs no extra response. */
  #beginBrief(): string {
    const { statementMs, lockMs } = this.#limits.write.brief;
    return `begin; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}`;
  }

  rollback = () => this.#control("rollback");
  savepoint = () => this.#control("savepoint job");
  releaseSavepoint = () => this.#control("release savepoint job");
  rollbackToSavepoint = () => this.#control("rollback to savepoint job");

  /** @throws CommitInDoubt when the commit was sent and not answered */
  async commit(last: readonly Promise<unknown>[] = []): Promise<void> {
    const [answer] = await Promise.allSettled([this.#client.query({ text: "commit" }), ...last]);
    if (answer.status === "rejected") {
      const error: unknown = answer.reason;
      // An unsent commit is not in doubt.
      throw error instanceof StoreAway ? error : postgresCommitError(error, sqlStateOf(error));
    }
    if (answer.value.command !== "ROLLBACK") return;
    // The server answers this way, without an error, when an earlier statement of the transaction failed.
    await allOfThem(last);
    throw storeRefusal(new Error("a statement of the transaction had failed"));
  }

  async #control(text: string): Promise<void> {
    try {
      await this.#client.query({ text });
    } catch (error) {
      refuse(error);
    }
  }
}

/** SQLSTATE of a statement in a transaction that has already failed. */
const IN_FAILED = "25P02";

interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

/**
 * A connection to PostgreSQL during one transaction: detects its loss and remembers why a statement was refused. A lost
 * connection takes no more statements, because they would wait forever.
 */
export class OwnClient implements Queryable {
  readonly #client: Listened;
  readonly #onError: (error: Error) => void;
  #gone: Error | undefined;
  /** The newest statement error that is not a consequence of an earlier one. */
  #refused: unknown;

  constructor(client: Listened, onLost: (error: Error) => void) {
    this.#client = client;
    this.#onError = (error) => {
      this.#gone ??= error;
      onLost(error);
    };
    // The pool listens to idle connections only; an error during a transaction would end the process.
    client.on("error", this.#onError);
  }

  get isGone(): boolean {
    return this.#gone !== undefined;
  }

  /** Returns the connection to the pool's own error handling. */
  leave(): void {
    this.#client.off("error", this.#onError);
  }

  async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#gone) throw new StoreAway(this.#gone);
    try {
      return await this.#client.query(config);
    } catch (error) {
      const state = sqlStateOf(error);
      if (state === undefined) this.#gone ??= error instanceof Error ? error : new Error(String(error));
      // In a pipelined batch every statement after a failed one fails with this state: keep the original reason.
      if (state !== IN_FAILED) this.#refused = error;
      throw this.#refused ?? error;
    }
  }
}

type Listened = Pick<pg.ClientBase, "query" | "on" | "off">;

/** The SQLSTATE of a server's error; undefined for an error from elsewhere. */
export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? (error.code ?? "") : undefined;
}
