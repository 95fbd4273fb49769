/** Looks for damage in an SQLite database before anything is served from it: its own file because only a start can afford to read it all. */
import { statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { damaged, unusable } from "./unusable.ts";

/** The check reads every page, at 500 MB a second or what the disk gives: larger files would delay a start by more than some ten seconds. */
const CHECKED_BYTES = 4 * 2 ** 30;

/**
 * Reads every page of the database, and of its write-ahead log as far as it is committed.
 * @param path of a file that may not exist yet
 * @param mostBytes a larger file is not checked
 * @returns whether it was checked, or there was nothing to check
 * @throws DatabaseUnusable
 */
export function checkDatabase(path: string, mostBytes = CHECKED_BYTES): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return true;
  if (size > mostBytes) return false;
  let db: Sqlite.Database | undefined;
  let found: unknown;
  try {
    db = new Sqlite(path);
    // Unlike `integrity_check` it does not compare each index with its table, which takes ten times as long.
    found = db.pragma("quick_check(1)", { simple: true });
  } catch (error) {
    throw unusable(path, error);
  } finally {
    db?.close();
  }
  if (found !== "ok") throw damaged(path, String(found).replaceAll(/\s+/g, " "));
  return true;
}
