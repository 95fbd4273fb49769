/** A start finds a damaged page, wherever in the file it lies. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkDatabase } from "./claim.ts";
import { DatabaseUnusable } from "./unusable.ts";

const PAGE = 4096;
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-checks-"));
  path = join(folder, "cloud.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** With pages of tables and indexes, inner ones and leaves, and some that are free. */
function fill(): void {
  const db = new Sqlite(path);
  db.pragma("journal_mode = WAL");
  db.exec("create table events (id integer primary key, kind text, data text); create index kinds on events (kind)");
  const insert = db.prepare("insert into events (kind, data) values (?, ?)");
  db.transaction(() => {
    for (let each = 0; each < 2_000; each++) insert.run(`kind ${each}`.padEnd(90, "."), "x".repeat(200));
  })();
  db.exec("delete from events where id > 1900");
  db.close();
}

it("a database that is whole is good, and so is one that does not exist yet", () => {
  expect(checkDatabase(path)).toBe(true);
  fill();
  expect(checkDatabase(path)).toBe(true);
});

it("what a dead process left in the write-ahead log is part of the database", () => {
  fill();
  const db = new Sqlite(path);
  db.exec("delete from events where id < 1000");
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  expect(checkDatabase(path)).toBe(true);
  db.close();
});

it("a damaged page is found wherever it lies, with the name of the file and what to do", () => {
  fill();
  const pages = statSync(path).size / PAGE;
  const free = freePages();
  const unseen: number[] = [];
  for (let page = 0; page < pages; page++) {
    damage(page);
    try {
      checkDatabase(path);
      unseen.push(page + 1);
    } catch (error) {
      expect(error).toBeInstanceOf(DatabaseUnusable);
      expect(String(error)).toMatch(new RegExp(`The database ${path} is .*damaged.* Move it away .* restore a backup`));
    }
    rmSync(path);
    fill();
  }
  // Nothing is read from a free page before it is written.
  expect(unseen.length).toBeLessThanOrEqual(free);
  expect(pages - unseen.length).toBeGreaterThan(100);
});

it("a file past the limit is not read", () => {
  writeFileSync(path, Buffer.alloc(2 * PAGE, 1));
  expect(checkDatabase(path, PAGE)).toBe(false);
  expect(() => checkDatabase(path, 2 * PAGE)).toThrow(DatabaseUnusable);
});

function freePages(): number {
  const db = new Sqlite(path, { readonly: true });
  const count = db.pragma("freelist_count", { simple: true });
  db.close();
  return Number(count);
}

function damage(page: number): void {
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(512, 0xa5), 0, 512, page * PAGE);
  closeSync(file);
}
