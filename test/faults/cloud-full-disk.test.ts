/** A cloud on SQLite whose disk is full, or has become read-only: no answered write is lost, and it goes on by itself. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Home } from "../parts/home.ts";
import { LAMP } from "../parts/simulator.ts";
import { SmallDisk } from "../parts/small-disk.ts";

const HUE = "LightColor.hue";
const MIB = 1024 * 1024;

let disk: SmallDisk;
let home: Home;
let file: string;
beforeAll(async () => {
  disk = new SmallDisk(8 * MIB);
  file = join(disk.path, "cloud.db");
  home = await Home.start({ database: file });
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
  disk[Symbol.dispose]();
});

const ready = async () => (await home.api.call("GET", "/readyz")).status === 200;
const make = (alias: string) => home.api.call("POST", "/api/zones", { environmentId: home.environmentId, alias });
const aliases = async () =>
  (await home.api.good<{ items: { alias?: string }[] }>("GET", "/api/zones?pageSize=100")).items.map(
    ({ alias }) => alias,
  );

/** The state while nothing can be written; then the former state again, by itself. */
async function unwritable(what: string, begin: () => void, end: () => void): Promise<void> {
  await home.online();
  expect((await home.put(LAMP, HUE, 1)).status).toBe(200);
  await home.allReported();
  const made = [`${what}-before`];
  expect((await make(`${what}-before`)).status).toBe(201);
  begin();
  // What the write-ahead log still has room for goes into it.
  const refused = await eventually("a change is refused", async () => {
    const alias = `${what}-${made.length}`;
    const answer = await make(alias);
    if (answer.status === 503) return { alias, answer };
    expect(answer.status).toBe(201);
    made.push(alias);
    return undefined;
  });
  expect(refused.answer.headers.get("retry-after")).toBe("1");
  const put = await home.put(LAMP, HUE, 200);
  // A small change that still had room, as the node's lease, ends the outage until the next one is refused.
  const outcome = expect.stringMatching(/^(not_sent|unknown)$/);
  expect(put).toMatchObject({ status: 503, body: { title: "Service Unavailable", outcome } });
  // Reads go on, of memory and of the file.
  expect((await home.cached(LAMP, HUE))?.value).toBe(1);
  expect(await aliases()).toEqual(expect.arrayContaining(made));
  expect(await aliases()).not.toContain(refused.alias);
  expect((await home.api.call("GET", "/healthz")).status).toBe(200);
  expect(await home.api.call("GET", "/readyz")).toMatchObject({
    status: 503,
    body: { detail: "The database accepts no changes." },
  });
  end();
  await eventually("the cloud is ready", ready);
  await home.online();
  expect(await home.put(LAMP, HUE, 200)).toMatchObject({ status: 200, body: { value: 200 } });
  expect((await make(refused.alias)).status).toBe(201);
  expect(await aliases()).toEqual(expect.arrayContaining([...made, refused.alias]));
  const db = new Sqlite(file, { readonly: true });
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  db.close();
}

/** The state after a start that finds no room. @param alias of a zone from before */
async function unwritableFromTheStart(alias: string): Promise<void> {
  // What the write-ahead log still has room for may go into it.
  await eventually("the cloud accepts no changes, in words", async () => {
    const { status, body } = await home.api.call<{ detail?: string }>("GET", "/readyz");
    return status === 503 && body.detail === "The database accepts no changes.";
  });
  expect(await aliases()).toEqual(expect.arrayContaining([alias]));
  expect((await home.hub()).state).not.toBe("offline");
  expect(await home.put(LAMP, HUE, 77)).toMatchObject({ status: 503, body: { outcome: "not_sent" } });
}

describe("a cloud whose disk", () => {
  it("is full refuses changes by name, reads on, and goes on when there is room", () =>
    unwritable(
      "full",
      () => disk.fill(),
      () => disk.free(),
    ));

  it("is full when the cloud starts answers reads, calls no hub offline, and goes on when there is room", async () => {
    await home.online();
    await home.allReported();
    expect((await make("start-before")).status).toBe(201);
    const before = (await home.cached(LAMP, HUE))?.value;
    disk.fill();
    await home.cloud.kill();
    await home.startCloud();
    await unwritableFromTheStart("start-before");
    expect((await home.cached(LAMP, HUE))?.value).toBe(before);
    disk.free();
    await eventually("the cloud is ready", ready);
    await home.online();
    expect((await make("start-after")).status).toBe(201);
  });

  it.each([
    ["before", "stop-full"],
    ["after", "stop-free"],
  ])(
    "is full since %s an orderly stop answers reads when it starts, and goes on when there is room",
    async (since, alias) => {
      await home.online();
      await home.allReported();
      expect((await make(`${alias}-before`)).status).toBe(201);
      if (since === "before") disk.fill();
      expect(await home.cloud.stop()).toMatchObject({ code: 0 });
      // What the end has given back another program takes.
      disk.fill();
      await home.startCloud();
      disk.fill();
      await unwritableFromTheStart(`${alias}-before`);
      disk.free();
      await eventually("the cloud is ready", ready);
      await home.online();
      expect((await make(`${alias}-after`)).status).toBe(201);
    },
  );

  it("has lost its database's file takes no changes that would be gone with it, and goes on when that is back", () =>
    unwritable(
      "moved",
      () => renameSync(file, `${file}.elsewhere`),
      () => renameSync(`${file}.elsewhere`, file),
    ));

  it("is held by another program's transaction answers everything else meanwhile", async () => {
    await home.online();
    const other = new Sqlite(file);
    other.exec("begin immediate");
    const refused = make("held-1");
    const asked = performance.now();
    const answers: number[] = [];
    let over = false;
    void refused.finally(() => {
      over = true;
    });
    while (!over) {
      const began = performance.now();
      await home.api.call("GET", "/healthz");
      answers.push(performance.now() - began);
    }
    expect((await refused).status).toBe(503);
    expect(answers.length).toBeGreaterThan(10);
    // None of them waited for that transaction as the change did.
    expect(Math.max(...answers)).toBeLessThan((performance.now() - asked) / 2);
    other.exec("rollback");
    other.close();
    await eventually("the cloud is ready", ready);
    expect((await make("held-1")).status).toBe(201);
  });
});
