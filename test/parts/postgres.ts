/** An empty PostgreSQL database for each test that wants one, on the server that all tests of the run share. */
import { Client } from "pg";
import { inject } from "vitest";
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

/**
 * A database on the server that all tests of this run share; gone when disposed, whoever is still connected.
 * @param has the cloud's tables, copied, which costs a tenth of making them; or nothing at all
 * @throws Error when PostgreSQL cannot be had: a test that needs it fails by that name
 */
export async function freshDatabase(has: "tables" | "nothing" = "nothing"): Promise<Postgres> {
  const shared = inject("postgres") ?? { cannotBeHad: "this project does not start it" };
  if ("cannotBeHad" in shared) throw new Error(`PostgreSQL cannot be had: ${shared.cannotBeHad}`);
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await administer(shared.url, `create database ${name} template ${has === "tables" ? shared.template : "template0"}`);
  return {
    url: databaseUrl(new URL(shared.url).searchParams.get("host") ?? "", name),
    [Symbol.asyncDispose]: () => administer(shared.url, `drop database if exists ${name} with (force)`),
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
