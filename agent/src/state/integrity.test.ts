import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { examineDatabase, seal } from "./database.ts";
import { MIGRATIONS, SEALED } from "./schema.ts";
import { Disk, device, LAMP, level, on, pending, pressed } from "./state.fixture.ts";

/** A hub that has something in every table. */
async function busyHub(disk: Disk): Promise<void> {
  const state = disk.open({ homeEvents: { edgeId: "02-00-00-00-00-01" } });
  await disk.done(state.arrive(device()));
  await disk.report(state, level(7));
  await disk.report(state, pressed());
  await disk.done(state.begin({ id: "cmd_1", ...on(true) }));
  const place = { digest: "d1", ecosystemId: "eco_1", environmentId: "env_1", clientId: "cli_1" };
  await state.home.takeNames({ ...place, devices: [{ edgeId: LAMP, id: "dev_1", version: 1 }] });
  await state.home.takeName({ edgeId: LAMP, id: "dev_1", version: 1, alias: "lamp", meta: "{}", createdAt: 1 });
  await disk.report(state, on(false));
  await state.home.addToken({ id: "tok_1", hash: "a", label: "panel", createdAt: 1 });
  await disk.done(state.leave(LAMP));
  await state[Symbol.asyncDispose]();
}

/** Changes the closed database behind the agent's back. */
function change(disk: Disk, sql: string): void {
  const db = new Database(disk.path);
  db.exec(sql);
  db.close();
}

describe("a row that is not as it was written", () => {
  test.each([
    ["hub", "UPDATE hub SET last_number = last_number + 1"],
    ["devices", "UPDATE devices SET online = 1 - online"],
    ["property_values", "UPDATE property_values SET value = '8' WHERE property = 'level'"],
    ["outbox", "UPDATE outbox SET payload = replace(payload, '7', '8')"],
    ["journal", "UPDATE journal SET target = replace(target, 'true', 'false')"],
    ["seen_reports", "UPDATE seen_reports SET seen = '[]'"],
    ["home_place", "UPDATE home_place SET place = replace(place, 'env_1', 'env_2')"],
    ["device_names", "UPDATE device_names SET name = replace(name, 'lamp', 'lump')"],
    ["local_tokens", "UPDATE local_tokens SET hash = 'b'"],
    ["home_log", "UPDATE home_log SET begun = begun + 1"],
    ["home_events", "UPDATE home_events SET type = 'device.removed'"],
    ["history_series", "UPDATE history_series SET device = replace(device, '7', '8')"],
    ["history_gaps", "UPDATE history_gaps SET since = since + 1"],
  ])("is found at the next start, in %s, and the database kept aside", async (table, sql) => {
    using disk = new Disk();
    await busyHub(disk);
    expect(examineDatabase(disk.path)).toBeUndefined();
    change(disk, sql);
    expect(examineDatabase(disk.path)).toBe(`a row of ${table} is not as it was written`);
    const state = disk.open();
    expect([state.lastNumber, state.device(LAMP)]).toEqual([0, undefined]);
    expect(state.status().disk.damaged).toHaveLength(1);
  });

  test("so are tables that the agent did not make so", async () => {
    using disk = new Disk();
    await busyHub(disk);
    change(disk, "DROP INDEX outbox_collapse");
    expect(examineDatabase(disk.path)).toBe("its tables are not those that the agent created");
  });

  test("every column of a sealed table is under the seal", () => {
    const db = new Database(":memory:");
    for (const step of MIGRATIONS) db.exec(step);
    const select = db.prepare<[string], { name: string }>("SELECT name FROM pragma_table_info(?)");
    for (const [table, sealed] of Object.entries(SEALED)) {
      const columns = select.all(table).map(({ name }) => name);
      expect(columns.filter((name) => name !== "crc" && name !== "one").sort()).toEqual([...sealed].sort());
    }
    db.close();
  });

  test("a seal distinguishes fields that are equal when they are joined", () => {
    expect(seal(["ab", "c"])).not.toBe(seal(["a", "bc"]));
    expect(seal([1, null])).not.toBe(seal([null, 1]));
  });
});

describe("a database of the first version", () => {
  test("is brought up to date with everything that it holds, and sealed", async () => {
    using disk = new Disk();
    await busyHub(disk);
    const before = disk.open();
    const history = { pending: pending(before), logId: before.logId, lastNumber: before.lastNumber };
    await before[Symbol.asyncDispose]();
    downgrade(disk);
    const state = disk.open();
    expect({ pending: pending(state), logId: state.logId, lastNumber: state.lastNumber }).toEqual(history);
    expect(state.device(LAMP)?.description).toEqual(device().description);
    await state[Symbol.asyncDispose]();
    expect(examineDatabase(disk.path)).toBeUndefined();
  });
});

/** What the first agent would have written: the same rows in the tables as they were then. */
function downgrade(disk: Disk): void {
  const db = new Database(disk.path);
  const tables = ["hub", "devices", "property_values", "outbox", "journal", "seen_reports"];
  const old = new Database(":memory:");
  old.exec(MIGRATIONS[0] ?? "");
  const rows = tables.map((table) => {
    const names = old.prepare<[string], { name: string }>("SELECT name FROM pragma_table_info(?)").all(table);
    const list = names.map(({ name }) => name).join(", ");
    return { table, list, rows: db.prepare(`SELECT ${list} FROM ${table}`).raw().all() as unknown[][] };
  });
  old.close();
  const all = db
    .prepare<[], { type: string; name: string }>(
      "SELECT type, name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  for (const { name } of all) db.exec(`DROP TABLE ${name}`);
  db.exec(MIGRATIONS[0] ?? "");
  for (const { table, list, rows: each } of rows)
    for (const row of each)
      db.prepare(`INSERT INTO ${table} (${list}) VALUES (${row.map(() => "?").join(", ")})`).run(row);
  db.pragma("user_version = 1");
  db.close();
}
