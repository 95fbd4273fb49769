/** SQLite as the store: one connection for writes and one for reads, both synchronous underneath. */
import { statSync } from "node:fs";
import { nextTurn } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import type { Compilable } from "kysely";
import type { Bulk } from "./sql/bulk.ts";
import { StoreAway, sqliteCommitError, sqliteError } from "./sql/refusal.ts";
import { allOfThem, type Connection, type Database } from "./sql/sql.ts";
import { type Bound, BUILDERS, type Build, type Statement } from "./sql/statement.ts";

/** @param path of the database file, created when missing */
export function openSqlite(path: string): Database {
  const writer = new SqliteConnection(path);
  const reader = new SqliteConnection(path);
  let turn: Promise<unknown> = Promise.resolve();
  const withWriter: Database["withWriter"] = (work) => {
    const result = turn.then(() => work(writer));
    turn = result.catch(() => undefined);
    return result;
  };
  return {
    dialect: "sqlite",
    reader,
    withWriter,
    withPatience: withWriter,
    async close() {
      await turn;
      reader.close();
      writer.close();
    },
  };
}

type Prepared = Sqlite.Statement<unknown[], unknown>;

/** Busy timeout while the files are opened, when the process has nothing else to do, ms. */
const OPEN_BUSY_MS = 5000;
/** Busy timeout afterwards, ms: SQLite blocks the process while it waits for a lock. */
const BUSY_MS = 20;
/** Attempts to begin a transaction while another process holds the lock, 5 s in all; other work runs in between. */
const BUSY_TURNS = 250;

class SqliteConnection implements Connection {
  readonly build: Build = BUILDERS.sqlite;
  readonly #path: string;
  readonly #file: number;
  readonly #db: Sqlite.Database;
  readonly #prepared = new Map<unknown, Prepared>();

  constructor(path: string) {
    this.#db = new Sqlite(path, { timeout: OPEN_BUSY_MS });
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#db.pragma(`busy_timeout = ${BUSY_MS}`);
    this.#db.pragma("cache_size = -32000");
    this.#path = path;
    this.#file = statSync(path).ino;
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
    try {
      return this.#prepare(statement, sql).all(...bind(params)) as R[];
    } catch (error) {
      throw sqliteError(error, codeOf(error));
    }
  }

  async run<P extends Readonly<Record<string, Bound>>, R>(statement: Statement<P, R>, params: P): Promise<number> {
    const { sql, bind } = statement.sqlite;
    try {
      return this.#prepare(statement, sql).run(...bind(params)).changes;
    } catch (error) {
      throw sqliteError(error, codeOf(error));
    }
  }

  async allOf<P extends Readonly<Record<string, Bound>>, R>({ each }: Bulk<P, R>, rows: readonly P[]): Promise<R[][]> {
    const { sql, bind } = each.sqlite;
    return this.#do(() => {
      const prepared = this.#prepare(each, sql);
      return rows.map((row) => prepared.all(...bind(row)) as R[]);
    });
  }

  async runOf<P extends Readonly<Record<string, Bound>>, R>({ each }: Bulk<P, R>, rows: readonly P[]): Promise<void> {
    const { sql, bind } = each.sqlite;
    this.#do(() => {
      const prepared = this.#prepare(each, sql);
      for (const row of rows) prepared.run(...bind(row));
    });
  }

  rollback = () => this.#control("rollback");
  savepoint = () => this.#control("savepoint job");
  releaseSavepoint = () => this.#control("release job");

  /** @throws "Service Unavailable" also when the file was deleted: writes into it would be lost with it */
  async begin(first: () => readonly Promise<unknown>[] = () => []): Promise<void> {
    await this.#begin();
    await Promise.all(first());
  }

  async #begin(): Promise<void> {
    if (statSync(this.#path, { throwIfNoEntry: false })?.ino !== this.#file)
      throw new StoreAway(new Error(`${this.#path} has been removed or replaced`));
    for (let turn = 1; ; turn += 1) {
      try {
        return await this.#control("begin immediate");
      } catch (error) {
        const isBusy = error instanceof StoreAway && codeOf(error.cause)?.startsWith("SQLITE_BUSY");
        if (!isBusy || turn === BUSY_TURNS) throw error;
      }
      await nextTurn();
    }
  }

  /** @throws CommitInDoubt when the disk failed during the commit */
  async commit(last: readonly Promise<unknown>[] = []): Promise<void> {
    await allOfThem(last);
    try {
      this.#prepare("commit", "commit").run();
    } catch (error) {
      throw sqliteCommitError(error, codeOf(error));
    }
  }

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

  /** @throws "Service Unavailable" when disk, file or lock is the cause */
  #do<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, codeOf(error));
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

function codeOf(error: unknown): string | undefined {
  return error instanceof Sqlite.SqliteError ? error.code : undefined;
}
