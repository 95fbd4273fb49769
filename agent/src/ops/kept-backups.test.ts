import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@porchlight/shared/kernel";
import { MOST_BACKUPS } from "@porchlight/shared/model";
import { afterEach, beforeEach, expect, test } from "vitest";
import { backupFolder, keepBackup, listBackups, NoRoomForBackup } from "./kept-backups.ts";

let folder = "";
let clock: VirtualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-backups-"));
  clock = new VirtualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = async (file: string) => writeFileSync(file, "a hub", { mode: 0o600 });
const names = () => readdirSync(backupFolder(folder)).sort();

test("a hub that has made none has none", () => {
  expect(listBackups(folder)).toEqual([]);
});

test("a backup is listed with its time and size, in a folder that is its owner's alone", async () => {
  const made = await keepBackup(folder, 0, clock, write);
  expect(made).toEqual({ name: expect.stringMatching(/^hub-[\dT-]+Z\.backup$/), at: expect.any(Number), bytes: 5 });
  expect(listBackups(folder)).toEqual([made]);
  expect(statSync(backupFolder(folder)).mode & 0o077).toBe(0);
});

test("two of the same second are two, and of more than may be the oldest go", async () => {
  const made: string[] = [];
  for (let count = 0; count < MOST_BACKUPS + 2; count++) {
    const { name } = await keepBackup(folder, 0, clock, write);
    utimesSync(join(backupFolder(folder), name), count, count);
    made.push(name);
    if (count > 0) await clock.advance(1000);
  }
  expect(new Set(made).size).toBe(MOST_BACKUPS + 2);
  expect(listBackups(folder).map(({ name }) => name)).toEqual(made.slice(2).reverse());
});

test("the one just made stays, also when the clock was put back", async () => {
  const later = 4e9;
  for (let count = 0; count < MOST_BACKUPS; count++) {
    const { name } = await keepBackup(folder, 0, clock, write);
    utimesSync(join(backupFolder(folder), name), later + count, later + count);
  }
  const { name } = await keepBackup(folder, 0, clock, write);
  expect(names()).toContain(name);
  expect(names()).toHaveLength(MOST_BACKUPS);
});

test("one that fails leaves nothing, and takes no other away", async () => {
  const { name } = await keepBackup(folder, 0, clock, write);
  const half = async (file: string) => {
    writeFileSync(`${file}.new`, "ha");
    throw new Error("the disk is broken");
  };
  await expect(keepBackup(folder, 0, clock, half)).rejects.toThrow("the disk is broken");
  expect(names()).toEqual([name]);
});

test("what an interrupted copy left goes with the next, and files of others stay", async () => {
  mkdirSync(backupFolder(folder));
  writeFileSync(join(backupFolder(folder), "hub-1.backup.new"), "ha");
  writeFileSync(join(backupFolder(folder), "mine.txt"), "mine");
  const { name } = await keepBackup(folder, 0, clock, write);
  expect(names()).toEqual([name, "mine.txt"].sort());
});

test("none is begun where there is no room", async () => {
  const asked = keepBackup(folder, Number.MAX_SAFE_INTEGER, clock, write);
  await expect(asked).rejects.toThrow(NoRoomForBackup);
  await expect(asked).rejects.toThrow(/^The disk has \d+ MiB free, and a backup needs \d+ MiB\.$/);
  expect(names()).toEqual([]);
});
