/** Copies of a living SQLite database: of one moment, whole, and the owner's alone. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, seededRandom, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BackupRefused, copyDatabase, restoreDatabase } from "./backup.ts";
import { Store } from "./index.ts";

const random = seededRandom(1);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-copies-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const open = (name: string) =>
  Store.open({ location: at(name), clock: systemClock, ids: new IdMaker(systemClock, seededRandom(1)) });
const happen = (store: Store, filling = "") =>
  store.write("eco_a", async (tx) => tx.append({ type: "happened", data: { filling } }));

async function sequences(name: string): Promise<number[]> {
  await using store = await open(name);
  const rows = await store.service.query(store.of("eco_a").from("events").select("sequence").orderBy("sequence"));
  return rows.map(({ sequence }) => sequence);
}

describe("a copy of a living database", () => {
  it("has everything that was answered before it began, and ends although writing does not", async () => {
    await using store = await open("cloud.db");
    // More than one step of the copy.
    for (let count = 0; count < 45; count++) await happen(store, "x".repeat(1_000_000));
    let isWriting = true;
    let acknowledged = 45;
    const writing = (async () => {
      for (; isWriting; acknowledged++) await happen(store);
    })();
    const before = acknowledged;
    await copyDatabase(at("cloud.db"), at("copy"), random);
    isWriting = false;
    await writing;
    expect(acknowledged).toBeGreaterThan(before);
    const copied = await sequences("copy");
    expect(copied).toEqual(copied.map((_, index) => index + 1));
    expect(copied.length).toBeGreaterThanOrEqual(before);
    expect(copied.length).toBeLessThanOrEqual(acknowledged);
  });

  it("is one file for its owner alone, and leaves nothing else behind", async () => {
    await using store = await open("cloud.db");
    await happen(store);
    await copyDatabase(at("cloud.db"), at("copy"), random);
    expect(statSync(at("copy")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual(["copy"]);
  });

  it("is written over nothing", async () => {
    await using store = await open("cloud.db");
    await happen(store);
    writeFileSync(at("copy"), "mine");
    await expect(copyDatabase(at("cloud.db"), at("copy"), random)).rejects.toThrow("is there already");
    expect(readFileSync(at("copy"), "utf8")).toBe("mine");
  });

  it("of a damaged database is none", async () => {
    await (await open("cloud.db"))[Symbol.asyncDispose]();
    const bytes = readFileSync(at("cloud.db"));
    // A page in the middle, of some table or index.
    bytes.fill(0xff, 5 * 4096, 6 * 4096);
    writeFileSync(at("cloud.db"), bytes);
    await expect(copyDatabase(at("cloud.db"), at("copy"), random)).rejects.toThrow(BackupRefused);
    expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
  });
});

describe("a database of a copy", () => {
  beforeEach(async () => {
    await using store = await open("cloud.db");
    await happen(store);
    await store.writeService((tx) =>
      tx.change(tx.build.insertInto("sealing_keys").values({ id: "0a0b0c0d", fingerprint: "f" })),
    );
    await copyDatabase(at("cloud.db"), at("copy"), random);
  });

  it("has the contents of the copy, and names the keys that belong to it", async () => {
    expect(restoreDatabase(at("copy"), at("new.db"), random)).toEqual([{ id: "0a0b0c0d", fingerprint: "f" }]);
    expect(await sequences("new.db")).toEqual([1]);
    expect(statSync(at("new.db")).mode & 0o777).toBe(0o600);
  });

  it.each(["new.db", "new.db-wal", "new.db-shm"])("is not made where there is %s", (name) => {
    writeFileSync(at(name), "");
    expect(() => restoreDatabase(at("copy"), at("new.db"), random)).toThrow(`${name} is there already`);
  });

  it.each<[string, (bytes: Buffer) => Buffer | undefined]>([
    ["is not there", () => undefined],
    ["is something else", () => Buffer.from("not a database ".repeat(1000))],
    ["is torn", (bytes) => bytes.subarray(0, bytes.length - 8192)],
    ["is empty", () => Buffer.alloc(0)],
  ])("is not made of a file that %s", (_what, damage) => {
    const bytes = damage(readFileSync(at("copy")));
    rmSync(at("copy"));
    if (bytes) writeFileSync(at("copy"), bytes);
    expect(() => restoreDatabase(at("copy"), at("new.db"), random)).toThrow(BackupRefused);
    expect(existsSync(at("new.db"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith("new.db"))).toEqual([]);
  });
});
