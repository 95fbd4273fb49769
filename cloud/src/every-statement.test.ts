/** Every statement of the service is understood by the store, with the tables that the migrations make: also what no other test runs on that store. */
import Sqlite from "better-sqlite3";
import { Client } from "pg";
import { expect, it } from "vitest";
import { App } from "./app.ts";
import { isPostgres } from "./config/data-location.ts";
import { freshLocation } from "./store/fresh-store.fixture.ts";
import { everyStatement } from "./store/sql/statement.ts";

type Statement = ReturnType<typeof everyStatement>[number];

/** Only several nodes share their limits in the store. */
const ONLY_ON_POSTGRES = ["take_free_counters"];

/** What asks a store whether it understands a statement. */
interface Asked extends AsyncDisposable {
  understand(statement: Statement, place: number): Promise<void>;
}

async function asked(location: string): Promise<Asked> {
  if (!isPostgres(location)) {
    const db = new Sqlite(location);
    return {
      understand: async ({ name, sqlite }) => {
        if (!ONLY_ON_POSTGRES.includes(name)) db.prepare(sqlite.sql);
      },
      [Symbol.asyncDispose]: async () => void db.close(),
    };
  }
  const client = new Client(location);
  await client.connect();
  return {
    understand: async ({ postgres }, place) => void (await client.query(`prepare s${place} as ${postgres.sql}`)),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

it("every statement of every module is understood", async () => {
  // It loads all modules.
  expect(App).toBeTypeOf("function");
  await using fresh = await freshLocation();
  await using store = await asked(fresh.location);
  const wrong: string[] = [];
  for (const [place, statement] of everyStatement().entries())
    await store.understand(statement, place).catch((error) => wrong.push(`${statement.name}: ${error.message}`));
  expect(everyStatement().length).toBeGreaterThan(400);
  expect(wrong).toEqual([]);
});
