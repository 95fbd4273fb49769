/** The PostgreSQL of the tests is a real one, keeps tests apart, and leaves nothing behind. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { Client } from "pg";
import { expect, test } from "vitest";
import { eventually } from "./eventually.ts";
import { freshDatabase, startPostgres } from "./postgres.ts";
import { ROOT } from "./program.ts";

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const folderOf = (url: string) => new URL(url).searchParams.get("host") ?? "";

test("a test's own server commits durably, and is deleted with its folder when it ends", async () => {
  const postgres = await startPostgres({ durable: true });
  expect(await ask(postgres.url, "show fsync")).toEqual([{ fsync: "on" }]);
  expect(await ask(postgres.url, "show server_encoding")).toEqual([{ server_encoding: "UTF8" }]);
  await postgres[Symbol.asyncDispose]();
  expect(existsSync(folderOf(postgres.url))).toBe(false);
  await expect(ask(postgres.url, "select 1")).rejects.toThrow();
});

test("two tests do not see each other's database, and a database is deleted in spite of open connections", async () => {
  const mine = await freshDatabase();
  await using other = await freshDatabase();
  await ask(mine.url, "create table lamps (id int)");
  await expect(ask(other.url, "select * from lamps")).rejects.toThrow('relation "lamps" does not exist');
  const client = new Client(mine.url);
  client.on("error", () => undefined);
  await client.connect();
  await mine[Symbol.asyncDispose]();
  await expect(ask(mine.url, "select 1")).rejects.toThrow("does not exist");
  await client.end().catch(() => undefined);
});

test("the shared server is a PostgreSQL without costs that no test needs", async () => {
  await using mine = await freshDatabase("tables");
  expect(await ask(mine.url, "show fsync")).toEqual([{ fsync: "off" }]);
  expect(await ask(mine.url, "select count(*)::int as count from objects")).toEqual([{ count: 0 }]);
});

test("a database that a test has filled and is still connected to is empty for the next one", async () => {
  const mine = await freshDatabase("tables");
  await ask(mine.url, "select nextval('endings_number_seq')");
  await ask(mine.url, "insert into counters (ecosystem_id, sequence) values ('eco_1', 1)");
  const client = new Client(mine.url);
  const ended = new Promise((resolve) => client.on("error", resolve));
  await client.connect();
  await mine[Symbol.asyncDispose]();
  await ended;
  await using next = await freshDatabase("tables");
  expect(next.url).toBe(mine.url);
  expect(await ask(next.url, "select count(*)::int as count from counters")).toEqual([{ count: 0 }]);
  expect(await ask(next.url, "select nextval('endings_number_seq')::int as first")).toEqual([{ first: 1 }]);
});

test.each([
  ["a column", "alter table letters add column newer text"],
  ["a table", "drop table letters"],
  ["an index", "create index newer on letters (account_id)"],
  ["a setting", "alter database current set deadlock_timeout = 20"],
])("a database of which a test has changed %s serves no other test", async (_, change) => {
  const mine = await freshDatabase("tables");
  await ask(mine.url, change.replace("current", new URL(mine.url).pathname.slice(1)));
  await mine[Symbol.asyncDispose]();
  await expect(ask(mine.url, "select 1")).rejects.toThrow("does not exist");
});

test("a test process that is killed leaves no server behind", async () => {
  const program = `
    const { startPostgres } = await import("./test/parts/postgres-server.ts");
    console.log((await startPostgres({ durable: true })).url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once("line", resolve));
  expect(await ask(url, "select 1 as one")).toEqual([{ one: 1 }]);
  child.kill("SIGKILL");
  await eventually("the folder is gone", async () => (existsSync(folderOf(url)) ? undefined : true));
});

test("a test's own server is killed with all its processes, stands still and goes on, and has lost nothing that it had committed", async () => {
  await using postgres = await startPostgres({ durable: "processes" });
  await ask(postgres.url, "create table lamps as select 7 as hue");
  await postgres.kill();
  await expect(ask(postgres.url, "select 1")).rejects.toThrow();
  await postgres.restart();
  expect(await ask(postgres.url, "select hue from lamps")).toEqual([{ hue: 7 }]);
  postgres.stop();
  const asked = ask(postgres.url, "select hue from lamps");
  const silence = new Promise((resolve) => setTimeout(() => resolve("silence"), 200));
  expect(await Promise.race([asked, silence])).toBe("silence");
  postgres.cont();
  expect(await asked).toEqual([{ hue: 7 }]);
});
