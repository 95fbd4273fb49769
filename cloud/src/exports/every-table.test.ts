/** What is kept of an account, in whichever table: it is exported or there is a reason why not, and it is erased with the account. */
import { settle } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";
import type { Sql, Tables } from "../store/index.ts";
import { LOGIN, markOf, rowsOfEveryTable, SERVER_TOKEN } from "../store/rows-of-every-table.fixture.ts";
import { TABLES } from "../store/table-names.fixture.ts";
import { allExporters, type ExportersDeps, NOT_EXPORTED } from "./contents.ts";
import { downloaded, exportIn, startExport } from "./exports.fixture.ts";
import { unzipped } from "./zip.fixture.ts";

/** Words of rows whose own word stands in the archive in another form, or is a number. */
const OTHER_WORDS: Partial<Readonly<Record<keyof Tables, string>>> = {
  accounts: "owner-1@example.com",
  ecosystems: '"id":"eco_',
  request_counts: "987654",
  history_settings: "8765",
  alert_settings: "Pacific/Chatham",
  token_uses: "2026-05-29",
  zone_items: '"items":["dev_',
};
/** Tables that on PostgreSQL have a partition for each time in which something is recorded. */
const IN_PARTITIONS = ["history_points", "history_five_minutes", "history_hours"] as const;

/** Makes a partition for all other times. */
const restOf = (table: keyof Tables) => (build: Sql["build"]) => ({
  compile: () =>
    sql`create table ${sql.table(`${table}_rest`)} partition of ${sql.table(table)} default`.compile(build),
});

// They are only asked what they tell of.
const exporters = allExporters({} as ExportersDeps);

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

/** Puts a row into every table that can have one. @returns those tables */
async function filled(): Promise<(keyof Tables)[]> {
  const owner = { account: home.id, eco: home.ecosystemId, env: home.environmentId };
  if (inject("postgres") !== undefined) for (const table of IN_PARTITIONS) await cloud.change(restOf(table));
  const all = Object.entries(rowsOfEveryTable(owner)).filter(([, rows]) => typeof rows !== "string");
  // The keys of a record that is typed by them, and the rows of each.
  for (const [table, rows] of all) await cloud.change((b) => b.insertInto(table as "sweeps").values(rows as []));
  return all.map(([table]) => table as keyof Tables);
}

/** Tables in which one of the words stands. */
async function tablesWith(...words: readonly string[]): Promise<(keyof Tables)[]> {
  const found: (keyof Tables)[] = [];
  for (const table of TABLES) {
    const text = JSON.stringify(await cloud.rows((build) => build.selectFrom(table).selectAll()));
    if (words.some((word) => text.includes(word))) found.push(table);
  }
  return found;
}

it("every table is covered by an exporter, or is listed with the reason", () => {
  const exported = new Set(exporters.flatMap(({ tables }) => tables));
  const listed = new Set(Object.keys(NOT_EXPORTED));
  expect(TABLES.filter((table) => !exported.has(table) && !listed.has(table))).toEqual([]);
  expect(TABLES.filter((table) => exported.has(table) && listed.has(table))).toEqual([]);
});

it("every stored row is in the file of its table's exporter, and no file has a secret", async () => {
  await filled();
  await startExport(cloud, home);
  await exportIn(cloud, home, "ready");
  const files = unzipped((await downloaded(cloud, home)).bytes);
  expect([...files.keys()]).toEqual(["README.txt", ...exporters.map(({ name }) => `${name}.ndjson`)]);
  const wordOf = (table: keyof Tables) => OTHER_WORDS[table] ?? markOf(table);
  const missing = TABLES.filter((table) => {
    const telling = exporters.filter(({ tables }) => tables.includes(table));
    const texts = telling.map(({ name }) => files.get(`${name}.ndjson`) ?? "");
    return telling.length > 0 && !texts.some((text) => text.includes(wordOf(table)));
  });
  expect(missing).toEqual([]);
  const all = [...files.values()].join("\n");
  for (const secret of ["plt_", home.password, "hash of a", "sealed token", markOf("export_chunks")])
    expect(all).not.toContain(secret);
  for (const [name, text] of files)
    if (name !== "README.txt")
      for (const line of text.split("\n").slice(0, -1)) expect(JSON.parse(line)).toBeTypeOf("object");
});

it("nothing of an erased account is left in any table", async () => {
  const tables = await filled();
  const words = [home.id, home.ecosystemId, LOGIN, SERVER_TOKEN, "mark-of-"];
  expect(await tablesWith(...words)).toEqual(expect.arrayContaining(tables));
  const body = { currentPassword: home.password };
  await cloud.good("DELETE", "/api/account", { token: home.token, body });
  let left: readonly string[] = ["everything"];
  for (let round = 0; round < 50 && (left.length > 0 || round < 3); round++) {
    await cloud.clock.advance(31_000);
    await settle(100);
    left = await tablesWith(...words);
  }
  expect(left).toEqual([]);
});
