/** Bringing a database up to date: from any state that a program can have left, and never past what this program knows. */
import { readdirSync } from "node:fs";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { type FreshLocation, freshLocation } from "./fresh-store.fixture.ts";
import { SchemaTooNew, Store } from "./index.ts";
import { STORE_MIGRATIONS } from "./migrate.ts";

let fresh: FreshLocation;
beforeEach(async () => {
  fresh = await freshLocation(undefined, "nothing");
});
afterEach(() => fresh[Symbol.asyncDispose]());

const open = () =>
  Store.open({ location: fresh.location, clock: systemClock, ids: new IdMaker(systemClock, seededRandom(1)) });

/** Runs SQL behind the program's back. */
async function run(...statements: string[]): Promise<void> {
  await using store = await open();
  await store.writeService(async (tx) => {
    for (const text of statements) await tx.change({ compile: () => sql.raw(text).compile(tx.build) });
  });
}

async function versions(): Promise<number[]> {
  await using store = await open();
  const query = sql<{ version: number }>`select version from schema_versions order by version`;
  return (await store.service.query({ compile: () => query.compile(store.service.build) })).map(
    ({ version }) => version,
  );
}

test("a new database gets every migration once, in order, and a second start changes nothing", async () => {
  const first = await versions();
  expect(first.length).toBeGreaterThan(1);
  expect(first).toEqual(first.map((_version, place) => place + 1));
  expect(await versions()).toEqual(first);
});

test("the number of a migration's file is the number of the schema that it makes", async () => {
  const folder = new URL("./migrations/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name !== "schema.ts");
  const made = files.sort().map(async (name, place) => {
    expect(Number.parseInt(name, 10), name).toBe(place + 1);
    return Object.values(await import(new URL(name, folder).href));
  });
  expect(await Promise.all(made)).toEqual(STORE_MIGRATIONS.map((migration) => [migration]));
});

test("a database of schema 13 has the starts of agents, and gets the shared limits, the sizes of logs, the attempts of deliveries, the details of requests and their counts, history, the origin of commands, sinks, and what hubs store", async () => {
  const all = await versions();
  await run(
    "drop table shared_limits",
    "drop table code_log_ins",
    "alter table counters drop column log_bytes",
    "alter table events drop column log_offset",
    "alter table deliveries drop column earlier_attempts",
    "alter table deliveries drop column attempt_error",
    "alter table request_log drop column problem_body",
    "alter table request_log drop column command_id",
    "drop table alerts",
    "drop table alert_settings",
    "drop index clients_offline",
    "drop index webhooks_failing",
    "drop index property_values_battery",
    "drop table request_counts",
    "drop table counting_periods",
    "drop index events_incidents",
    "drop table history_series",
    "drop table history_points",
    "drop table history_five_minutes",
    "drop table history_hours",
    "drop table history_positions",
    "drop table history_gaps",
    "drop table history_settings",
    "drop table account_exports",
    "drop table export_chunks",
    "drop index tokens_of_account",
    "drop index tokens_of_ecosystem",
    "alter table commands drop column origin",
    "alter table commands drop column hops",
    "drop table scene_items",
    "drop table scene_triggers",
    "drop table homes",
    "alter table commands drop column scene_id",
    "alter table commands drop column scene_command_id",
    "drop table sinks",
    "alter table clients drop column stores_scenes",
    "alter table commands drop column confirmed_value",
    "drop index idempotency_keys_of_owner",
    "create index idempotency_keys_owner on idempotency_keys (owner)",
    "alter table tokens drop column read_at",
    "delete from schema_versions where version > 13",
  );
  expect(await versions()).toEqual(all);
  await run("select instance, kept from tunnels", "select full_at from shared_limits", "select log_offset from events");
  await run(
    "select earlier_attempts, attempt_error from deliveries",
    "select problem_body, command_id from request_log",
    "select origin, hops from commands",
    "select scene_id, scene_command_id from commands",
    "select selector, value from scene_items",
    "select time_zone, location from homes",
    "select stores_scenes from clients",
    "select confirmed_value from commands",
  );
});

// Two connections of one process to one SQLite file would wait for each other without end.
if (inject("postgres"))
  test("two programs that start on one empty database take turns", async () => {
    const stores = await Promise.all([open(), open(), open()]);
    for (const store of stores) await store[Symbol.asyncDispose]();
    const all = await versions();
    expect(new Set(all).size).toBe(all.length);
  });

test("a database of a newer program is refused with an instruction, and left unchanged", async () => {
  const { length } = await versions();
  await run(`insert into schema_versions (version) values (${length + 1})`);
  const refusal = `The database has schema ${length + 1}; this program knows schemas up to ${length}. Install the newer program.`;
  await expect(open()).rejects.toThrow(new SchemaTooNew(length + 1));
  await expect(open()).rejects.toThrow(refusal);
});

test("a migration that fails half-way leaves nothing of itself", async () => {
  await versions();
  // The fourth must be done again: its first table can be made, the next one is in its way.
  await run("drop table audit_entries", "delete from schema_versions where version >= 4");
  // Each try fails at the same place: had the first left its new table, the second would fail at that.
  for (let attempt = 0; attempt < 2; attempt++) await expect(open()).rejects.toThrow(/request_log/);
});
