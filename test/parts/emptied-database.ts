/**
 * A database with the cloud's tables that is emptied after a test and serves the next one of the same process: its own file because to
 * empty one takes milliseconds, and to copy and drop one a tenth of a second, which was half of what the tests on PostgreSQL took.
 */
import { Client } from "pg";
import type { Postgres } from "./postgres-server.ts";

/** Of the tables, their columns, triggers and indexes, and of the database's settings: what a test may have changed for others. */
const SHAPE = `
  select md5(string_agg(line, ',' order by line)) as shape from (
    select concat_ws(' ', c.relname, c.relkind, c.relnatts, c.relhastriggers, a.attname, a.attnotnull, format_type(a.atttypid, a.atttypmod)) as line
      from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace
    union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select array_to_string(setconfig, ' ') from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database())
  ) as lines`;

/** What the migrations themselves put there. */
const KEPT = "schema_versions";

const TABLES = `select quote_ident(relname) as name, relkind from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') and relname <> '${KEPT}'`;

/** Ends the connections of others, and counts them. PostgreSQL's own wait for their end looks every 100 ms only. */
const END_OTHERS = `select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

export class EmptiedDatabase implements AsyncDisposable {
  readonly #database: Postgres;
  readonly #client: Client;
  readonly #shape: string;
  readonly #statement: string;

  private constructor(database: Postgres, client: Client, shape: string, statement: string) {
    this.#database = database;
    this.#client = client;
    this.#shape = shape;
    this.#statement = statement;
  }

  /** @param database has the tables, and nothing in them */
  static async connect(database: Postgres): Promise<EmptiedDatabase> {
    const client = new Client(database.url);
    client.on("error", () => undefined);
    await client.connect();
    const { rows } = await client.query<{ name: string; relkind: string }>(TABLES);
    const parts = rows.map(({ name, relkind }) =>
      relkind === "S" ? `alter sequence ${name} restart` : `delete from ${name}`,
    );
    // Without the checks of references, which would ask for an order.
    const statement = ["set session_replication_role = replica", ...parts].join(";");
    return new EmptiedDatabase(database, client, await shapeOf(client), statement);
  }

  get url(): string {
    return this.#database.url;
  }

  /** Ends every other connection, and deletes all rows. Gives whether it is as it was: if not, no later test may use it. */
  async empty(): Promise<boolean> {
    try {
      while ((await this.#client.query<{ count: number }>(END_OTHERS)).rows[0]?.count !== 0);
      if ((await shapeOf(this.#client)) !== this.#shape) return false;
      await this.#client.query(this.#statement);
      return true;
    } catch {
      return false;
    }
  }

  /** Drops it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end().catch(() => undefined);
    await this.#database[Symbol.asyncDispose]();
  }
}

async function shapeOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(SHAPE);
  return rows[0]?.shape ?? "";
}
