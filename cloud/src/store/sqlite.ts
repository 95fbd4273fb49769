/** SQLite as the store: one connection that writes, one that reads, both synchronous underneath. */
import Sqlite from "better-sqlite3";
import type { Compilable } from "kysely";
import { isSqliteRefusal, storeRefusal } from "./refusal.ts";
import type { Connection, Database } from "./sql.ts";
import { type Bound, BUILDERS, type Build, type Statement } from "./statement.ts";

/** @param path file of the database; it is made when missing */
export function openSqlite(path: string): Database {
  const writer = new SqliteConnection(path);
  const reader = new SqliteConnection(path);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    dialect: "sqlite",
    reader,
    withWriter(work) {
      const result = turn.then(() => work(writer));
      turn = result.catch(() => undefined);
      return result;
    },
    async close() {
      await turn;
      reader.close();
      writer.close();
    },
  };
}

type Prepared = Sqlite.Statement<unknown[], unknown>;

class SqliteConnection implements Connection {
  readonly build: Build = BUILDERS.sqlite;
  readonly #db: Sqlite.Database;
  readonly #prepared = new Map<unknown, Prepared>();

  constructor(path: string) {
    this.#db = new Sqlite(path);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.pragma("busy_timeout = 5000");
    this.#db.pragma("cache_size = -32000");
  }

  async query<R>(query: Compilable<R>): Promise<R[]> {
    const { sql, parameters } = query.compile();
    return this.#do(() => this.#db.prepare(sql).all(...parameters) as R[]);
  }

  async change(query: Compilable<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return this.#do(() => this.#db.prepare(sql).run(...parameters).changes);
  }

  async all<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const { sql, bind } = statement.sqlite;
    return this.#do(() => this.#prepare(statement, sql).all(...bind(params)) as R[]);
  }

  async run<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<number> {
    const { sql, bind } = statement.sqlite;
    return this.#do(() => this.#prepare(statement, sql).run(...bind(params)).changes);
  }

  begin = () => this.#control("begin immediate");
  commit = () => this.#control("commit");
  rollback = () => this.#control("rollback");
  savepoint = () => this.#control("savepoint job");
  releaseSavepoint = () => this.#control("release job");

  async rollbackToSavepoint(): Promise<void> {
    await this.#control("rollback to job");
    await this.#control("release job");
  }

  close(): void {
    this.#db.close();
  }

  async #control(sql: string): Promise<void> {
    this.#do(() => this.#prepare(sql, sql).run());
  }

  /** @throws "Service Unavailable" when disk, file or lock is the reason */
  #do<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof Sqlite.SqliteError && isSqliteRefusal(error.code) ? storeRefusal(error) : error;
    }
  }

  #prepare(key: unknown, sql: string): Prepared {
    let prepared = this.#prepared.get(key);
    if (!prepared) {
      prepared = this.#db.prepare<unknown[], unknown>(sql);
      this.#prepared.set(key, prepared);
    }
    return prepared;
  }
}
