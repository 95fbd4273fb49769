/** PostgreSQL as the store: a pool that reads and a pool that writes, so that a burst of reads never keeps a commit waiting. */
import type { Compilable } from "kysely";
import pg from "pg";
import { isPostgresRefusal, storeRefusal } from "./refusal.ts";
import type { Connection, Database, Sql } from "./sql.ts";
import { type Bound, BUILDERS, type Build, type Statement } from "./statement.ts";

const INT8 = 20;
/** Times, sequences and numbers are integers below 2^53 here. */
const types = {
  getTypeParser: ((oid: number, format?: "text") =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/** @param url `postgres://…` */
export function openPostgres(url: string, onLost: (error: Error) => void, connections = 8): Database {
  const pool = (max: number) => {
    const made = new pg.Pool({ connectionString: url, max, types, connectionTimeoutMillis: 10_000 });
    // An idle connection that breaks is replaced by the pool; unheard it would end the process.
    made.on("error", onLost);
    return made;
  };
  const readers = pool(connections);
  const writers = pool(connections);
  return {
    dialect: "postgres",
    reader: new PostgresSql(readers),
    async withWriter(work) {
      const client = await writers.connect();
      let broken: Error | undefined;
      // The pool listens to idle connections only; one that breaks in a transaction would end the process.
      client.on("error", onLost);
      try {
        return await work(new PostgresConnection(client));
      } catch (error) {
        broken = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        client.off("error", onLost);
        client.release(broken);
      }
    },
    async close() {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

interface Queryable {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
}

class PostgresSql implements Sql {
  readonly build: Build = BUILDERS.postgres;
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async query<R>(query: Compilable<R>): Promise<R[]> {
    const { sql, parameters } = query.compile();
    return (await this.#query({ text: sql, values: [...parameters] })).rows;
  }

  async change(query: Compilable<unknown>): Promise<number> {
    const { sql, parameters } = query.compile();
    return (await this.#query({ text: sql, values: [...parameters] })).rowCount ?? 0;
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
    return this.#query({ name, text: postgres.sql, values: postgres.bind(params) });
  }

  /** @throws "Service Unavailable" when server or connection is the reason */
  async #query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#db.query(config);
    } catch (error) {
      // What the server says of a statement has its class; all else is the connection.
      const ofStatement = error instanceof pg.DatabaseError && !isPostgresRefusal(error.code ?? "");
      throw ofStatement ? error : storeRefusal(error);
    }
  }
}

class PostgresConnection extends PostgresSql implements Connection {
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    super(client);
    this.#client = client;
  }

  begin = () => this.#control("begin");
  commit = () => this.#control("commit");
  rollback = () => this.#control("rollback");
  savepoint = () => this.#control("savepoint job");
  releaseSavepoint = () => this.#control("release savepoint job");
  rollbackToSavepoint = () => this.#control("rollback to savepoint job");

  async #control(sql: string): Promise<void> {
    await this.#client.query(sql);
  }
}
