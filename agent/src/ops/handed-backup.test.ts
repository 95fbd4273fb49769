import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { handBackup, takeBackup } from "./kept-backups.ts";

let data = "";
let clock: VirtualClock;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "porchlight-handed-"));
  clock = new VirtualClock();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const write = async (file: string) => writeFileSync(file, "the hub", { mode: 0o600 });
const left = () => readdirSync(join(data, "backups"));

test("the agent writes a backup into its own folder, and the command copies it to where it is wanted", async () => {
  const { name } = await handBackup(data, clock, write);
  expect(left()).toEqual([name]);
  const file = join(data, "wanted.backup");
  takeBackup(data, name, file);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777, left()]).toEqual(["the hub", 0o600, []]);
});

test("a file that is there is not written over, and the agent's copy goes", async () => {
  const { name } = await handBackup(data, clock, write);
  const file = join(data, "there");
  writeFileSync(file, "mine");
  expect(() => takeBackup(data, name, file)).toThrow(`${file} already exists: choose another name`);
  expect([readFileSync(file, "utf8"), left()]).toEqual(["mine", []]);
});

test.for(["../identity.key", "/etc/passwd", "hub-1.backup", "handed-1.backup/../../identity.key"])(
  "what names another file is not taken: %s",
  (name) => {
    writeFileSync(join(data, "identity.key"), "key");
    expect(() => takeBackup(data, name, join(data, "stolen"))).toThrow("the agent has named another file");
    expect([existsSync(join(data, "identity.key")), existsSync(join(data, "stolen"))]).toEqual([true, false]);
  },
);

test("two at once have two names, and one that fails leaves nothing", async () => {
  const names = await Promise.all([handBackup(data, clock, write), handBackup(data, clock, write)]);
  expect(new Set(names.map(({ name }) => name)).size).toBe(2);
  const fails = async (file: string) => {
    writeFileSync(`${file}.new`, "half");
    throw new Error("the disk is full");
  };
  await expect(handBackup(data, clock, fails)).rejects.toThrow("the disk is full");
  expect(left()).toHaveLength(2);
});

test("one that its command has not copied within an hour goes with the next", async () => {
  const { name } = await handBackup(data, clock, write);
  const old = clock.now() / 1000 - 3601;
  utimesSync(join(data, "backups", name), old, old);
  const next = await handBackup(data, clock, write);
  expect(left()).toEqual([next.name]);
});
