/** What `backup` and `restore` say, and when they refuse; that a copy is whole is the store's to prove. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkSealingKeys, openKeyring } from "../access/index.ts";
import { cloudSettings } from "../config/settings.ts";
import { Store } from "../store/index.ts";
import { backup, restore } from "./backup-commands.ts";

const random = seededRandom(5);
let folder: string;
let printed: string[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-backups-"));
  printed = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => join(folder, ...names);
const deps = (data: string, database?: string) => ({
  settings: cloudSettings.parse({ data: at(data), ...(database !== undefined && { database }) }),
  random,
  print: (line: string) => void printed.push(line),
  wrongUsage: (message: string): never => {
    throw new Error(`status 2: ${message}`);
  },
});

/** A folder as a service leaves it. */
async function data(): Promise<void> {
  const clock = new VirtualClock();
  const keyring = openKeyring(at("first", "secret.key"), random);
  await using store = await Store.open({ location: at("first", "cloud.db"), clock, ids: new IdMaker(clock, random) });
  await checkSealingKeys(store, keyring);
}

it("a backup with its keys makes a whole data folder, for its owner alone", async () => {
  await data();
  await backup(deps("first"), at("copy"), true);
  expect(printed.at(-1)).toMatch(/^WITH THE KEYS in .*copy\.key/);
  expect(statSync(at("copy.key")).mode & 0o777).toBe(0o600);
  restore(deps("second"), at("copy"));
  expect(printed.at(-1)).toContain("the keys that belong to it are in");
  expect(readFileSync(at("second", "secret.key"))).toEqual(readFileSync(at("first", "secret.key")));
});

it("a backup without its keys prints a warning, and so does its restoration, until the right ones are there", async () => {
  await data();
  await backup(deps("first"), at("copy"), false);
  expect(printed.at(-1)).toContain("WITHOUT THE KEYS");
  expect(readdirSync(folder).sort()).toEqual(["copy", "first"]);
  restore(deps("second"), at("copy"));
  expect(printed.at(-1)).toContain("THE KEYS ARE MISSING");
  expect(existsSync(at("second", "secret.key"))).toBe(false);
  openKeyring(at("third", "secret.key"), random);
  restore(deps("third"), at("copy"));
  expect(printed.at(-1)).toContain("THE KEYS ARE MISSING");
});

it("nothing is written over, and nothing is begun that cannot be ended", async () => {
  await expect(backup(deps("nothing"), at("copy"), false)).rejects.toThrow("There is no database at");
  await data();
  rmSync(at("first", "secret.key"));
  await expect(backup(deps("first"), at("copy"), true)).rejects.toThrow("There are no keys at");
  expect(existsSync(at("copy"))).toBe(false);
  await backup(deps("first"), at("copy"), false);
  expect(() => restore(deps("first"), at("copy"))).toThrow("cloud.db is there already");
});

it("a PostgreSQL server's is its own program's affair: the very command is shown, without the password", async () => {
  const there = deps("first", "postgres://porchlight:hush@db.example:5432/porch?sslmode=require");
  const shown = "'postgres://porchlight@db.example:5432/porch?sslmode=require'";
  await expect(backup(there, "/it's", false)).rejects.toThrow(
    `status 2: This database is a PostgreSQL server's, and its own program copies it: pg_dump --format=custom --file='/it'\\''s' ${shown}`,
  );
  expect(() => restore(there, "/copy")).toThrow(`pg_restore --exit-on-error --no-owner --dbname=${shown} '/copy'`);
});
