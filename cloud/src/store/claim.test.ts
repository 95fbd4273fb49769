/** One process serves one SQLite database, and nothing of a dead one is in the way of the next. */
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimDatabase, DatabaseClaimed, takeDatabase } from "./claim.ts";
import { DatabaseUnusable } from "./unusable.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-claims-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (...names: string[]) => join(folder, ...names);

it("a database in use is refused to a second service, with the name of the first", () => {
  using _first = claimDatabase(at("cloud.db"));
  expect(() => claimDatabase(at("cloud.db"))).toThrow(DatabaseClaimed);
  expect(() => claimDatabase(at("cloud.db"))).toThrow(`(process ${process.pid} on ${hostname()})`);
  using _other = claimDatabase(at("other.db"));
});

it("an end gives the database up, and is no end of a claim that came after", () => {
  const first = claimDatabase(at("cloud.db"));
  first[Symbol.dispose]();
  using _second = claimDatabase(at("cloud.db"));
  first[Symbol.dispose]();
  expect(() => claimDatabase(at("cloud.db"))).toThrow(DatabaseClaimed);
});

it("the same database under another name is the same", () => {
  mkdirSync(at("real"));
  symlinkSync(at("real"), at("folder"));
  writeFileSync(at("real", "there.db"), "");
  symlinkSync(at("real", "there.db"), at("link.db"));
  using _there = claimDatabase(at("real", "there.db"));
  using _new = claimDatabase(at("real", "new.db"));
  expect(() => claimDatabase(at("link.db"))).toThrow(DatabaseClaimed);
  expect(() => claimDatabase(at("folder", "new.db"))).toThrow(DatabaseClaimed);
});

it("a damaged database is refused to the service, and can be claimed for its repair", () => {
  writeFileSync(at("cloud.db"), "a letter to a friend\n".repeat(400));
  expect(() => takeDatabase(at("cloud.db"), silentLog)).toThrow(DatabaseUnusable);
  using _claim = claimDatabase(at("cloud.db"));
});

it("only the lock counts, not a dead process's file, and the lock is never written to", () => {
  writeFileSync(at("cloud.db-holder"), "process 1 on elsewhere\n");
  writeFileSync(at("cloud.db-lock"), "");
  using _claim = claimDatabase(at("cloud.db"));
  expect(statSync(at("cloud.db-lock")).size).toBe(0);
});
