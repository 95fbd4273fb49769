/** Opens `agent.db`: its pragmas, its migrations, and what is done with a damaged one. */
import { existsSync, renameSync } from "node:fs";
import type { Clock, Log } from "@porchlight/shared/kernel";
import Database from "better-sqlite3";
import { MIGRATIONS } from "./schema.ts";

export type Db = Database.Database;

/** How long to wait for a lock, ms: another agent on the same folder does not go away by waiting. */
const LOCK_WAIT_MS = 500;
const DAMAGED: ReadonlySet<string> = new Set(["SQLITE_NOTADB", "SQLITE_CORRUPT"]);

/** The database cannot be used, and it is not damage: another agent has it, or it was written by a newer one. */
export class StateUnusable extends Error {}

/**
 * Opens the database, and makes it where there is none. A damaged one is kept aside under a name with the time, which is
 * said, and a new one made.
 * @throws StateUnusable when another agent has it open or a newer agent wrote it
 */
export function openDatabase(path: string, clock: Clock, log: Log): Db {
  try {
    return openSound(path);
  } catch (failure) {
    if (!isDamage(failure)) throw failure;
    const aside = setAside(path, clock);
    log.error(
      { path, aside, reason: failure.message },
      "the hub's database is damaged: it is kept aside, a new one is made",
    );
    return openSound(path);
  }
}

function openSound(path: string): Db {
  const db = new Database(path, { timeout: LOCK_WAIT_MS });
  try {
    // Exclusive: two agents on one folder would give the same numbers to different records.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    const sound = db.pragma("quick_check(1)", { simple: true });
    if (sound !== "ok") throw new DamagedDatabase(String(sound));
    migrate(db);
    return db;
  } catch (failure) {
    db.close();
    if (failure instanceof Database.SqliteError && failure.code === "SQLITE_BUSY") {
      throw new StateUnusable(`another agent is using ${path}`, { cause: failure });
    }
    throw failure;
  }
}

function migrate(db: Db): void {
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > MIGRATIONS.length)
    throw new StateUnusable("the hub's database was written by a newer agent: update this one");
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

class DamagedDatabase extends Error {}

function isDamage(failure: unknown): failure is Error {
  if (failure instanceof DamagedDatabase) return true;
  return failure instanceof Database.SqliteError && [...DAMAGED].some((code) => failure.code.startsWith(code));
}

/** Moves the file and what SQLite keeps beside it; the name carries the time, so that nothing kept is written over. */
function setAside(path: string, clock: Clock): string {
  const base = `${path}.damaged-${stamp(clock.now())}`;
  let aside = base;
  for (let again = 2; existsSync(aside); again++) aside = `${base}-${again}`;
  for (const part of ["", "-wal", "-shm"]) if (existsSync(path + part)) renameSync(path + part, aside + part);
  return aside;
}

/** `2026-01-31T10-20-30Z`: a time that can stand in a file's name. */
function stamp(now: number): string {
  // The Swedish way of writing a time is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: "UTC" });
  return `${format.format(now).replace(" ", "T").replaceAll(":", "-")}Z`;
}
