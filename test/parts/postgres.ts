/** An empty PostgreSQL database for each test that wants one, on the server that all tests of the run share. */
import { Client } from "pg";
import { inject } from "vitest";
import { EmptiedDatabase } from "./emptied-database.ts";
import { databaseUrl, type Postgres } from "./postgres-server.ts";

export { type Postgres, startPostgres } from "./postgres-server.ts";

/** What the set-up of a project hands to each of its tests. */
export type SharedPostgres =
  | {
      readonly url: string;
      /** A database that has the cloud's tables, and nothing in them. */
      readonly template: string;
    }
  | { readonly cannotBeHad: string };

declare module "vitest" {
  export interface ProvidedContext {
    /** Missing in a project without that set-up. */
    postgres?: SharedPostgres;
  }
}

/** Emptied after a test, for the next one of this process. */
const unused: EmptiedDatabase[] = [];

/**
 * A database on the server that all tests of this run share; gone or empty when disposed, also with open connections.
 * @param has the cloud's tables, with nothing in them, or nothing at all
 * @throws Error when PostgreSQL cannot be had: a test that needs it fails by that name
 */
export async function freshDatabase(has: "tables" | "nothing" = "nothing"): Promise<Postgres> {
  const shared = inject("postgres") ?? { cannotBeHad: "this project does not start it" };
  if ("cannotBeHad" in shared) throw new Error(`PostgreSQL cannot be had: ${shared.cannotBeHad}`);
  if (has === "nothing") return createDatabase(shared.url, "template0");
  const database = unused.pop() ?? (await withTables(shared.url, shared.template));
  let isDisposed = false;
  return {
    url: database.url,
    [Symbol.asyncDispose]: async () => {
      if (isDisposed) return;
      isDisposed = true;
      if (await database.empty()) unused.push(database);
      else await database[Symbol.asyncDispose]();
    },
  };
}

async function withTables(server: string, template: string): Promise<EmptiedDatabase> {
  return EmptiedDatabase.connect(await createDatabase(server, template));
}

async function createDatabase(server: string, template: string): Promise<Postgres> {
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await administer(server, `create database ${name} template ${template}`);
  return {
    url: databaseUrl(new URL(server).searchParams.get("host") ?? "", name),
    [Symbol.asyncDispose]: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

export async function administer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
