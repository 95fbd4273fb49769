/**
 * Opens `agent.db`: its pragmas, its migrations, and what is done with a damaged one.
 *
 * Statements that run often have `+?` where they look for rows: built with STAT4, SQLite plans a statement anew whenever a variable that
 * it looked at while planning is bound again, which takes several times as long as to run it. Behind a plus, it does not look.
 */
import { accessSync, constants, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock, Log } from "@porchlight/shared/kernel";
import Database from "better-sqlite3";
import { seal } from "./row-checksum.ts";
import { MIGRATIONS, SEALED, SEALED_SINCE } from "./schema.ts";

export type Db = Database.Database;

/** How long to wait for a lock, ms: another agent on the same folder does not go away by waiting. */
const LOCK_WAIT_MS = 500;
const DAMAGED = ["SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ"];
/** What a damaged header or schema looks like when the file itself may be read and written. */
const DAMAGED_IF_WRITABLE = [
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_ERROR",
  "SQLITE_CONSTRAINT",
  "SQLITE_MISMATCH",
];
/** How many damaged databases are kept for inspection: a hub's disk is small. */
const MOST_KEPT = 3;

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
    if (!isDamage(failure) && !isDamageAtOpening(failure, path)) throw failure;
    const aside = setAside(path, clock);
    log.error(
      { path, aside, reason: failure.message },
      "the hub's database is damaged: its file is kept, and a new one is created",
    );
    return openSound(path);
  }
}

/** What is wrong with the database of a folder on which no agent runs, without changing it; undefined when nothing is. */
export function examineDatabase(path: string): string | undefined {
  let db: Db | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
    // That of an older agent is brought up to date at the next start.
    const isOlder = Number(db.pragma("user_version", { simple: true })) < MIGRATIONS.length;
    return isOlder ? brokenPages(db) : damageIn(db);
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure);
  } finally {
    db?.close();
  }
}

function openSound(path: string): Db {
  const db = new Database(path, { timeout: LOCK_WAIT_MS });
  try {
    // Exclusive: two agents on one folder would give the same numbers to different records.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    migrate(db);
    const damage = damageIn(db);
    if (damage !== undefined) throw new DamagedDatabase(damage);
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
  if (version > MIGRATIONS.length) {
    // A newer agent has added to the tables; where they are this agent's, the number itself is damaged.
    if (damageIn(db) === undefined) throw new DamagedDatabase("its version does not match its tables");
    throw new StateUnusable("the hub's database was written by a newer agent: update this one");
  }
  db.transaction(() => {
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    if (version < SEALED_SINCE) sealAll(db);
    db.pragma(`user_version = ${MIGRATIONS.length}`);
  }).immediate();
}

class DamagedDatabase extends Error {}

/** Whether the file is damaged, and not the disk full or somebody else at work. */
export function isDamage(failure: unknown): failure is Error {
  if (failure instanceof DamagedDatabase) return true;
  return failure instanceof Database.SqliteError && DAMAGED.some((code) => failure.code.startsWith(code));
}

/** Whether there is no room on the disk. */
export function isDiskFull(failure: unknown): boolean {
  return (
    failure instanceof Database.SqliteError && (failure.code === "SQLITE_FULL" || failure.code === "SQLITE_IOERR_WRITE")
  );
}

/** SQLite result codes of what a statement was given: a constraint, a type, a size, the number of its parameters. */
const OF_RECORD = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;

/** Whether an error is for what a record is, and not for the disk, the file or a lock: another attempt fares no better. */
export function isOfRecord(failure: unknown): boolean {
  if (failure instanceof DamagedDatabase) return false;
  return failure instanceof Database.SqliteError ? OF_RECORD.test(failure.code) : failure instanceof Error;
}

function isDamageAtOpening(failure: unknown, path: string): failure is Error {
  if (!(failure instanceof Database.SqliteError)) return false;
  if (!DAMAGED_IF_WRITABLE.some((code) => failure.code.startsWith(code))) return false;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Moves the file and what SQLite keeps beside it; the name carries the time, so that nothing kept is written over. */
function setAside(path: string, clock: Clock): string {
  const base = `${path}.damaged-${timeInName(clock.now())}`;
  let aside = base;
  for (let again = 2; existsSync(aside); again++) aside = `${base}-${again}`;
  for (const part of ["", "-wal", "-shm"]) if (existsSync(path + part)) renameSync(path + part, aside + part);
  for (const old of damagedOf(path).slice(MOST_KEPT))
    for (const part of ["", "-wal", "-shm"]) rmSync(join(dirname(path), old + part), { force: true });
  return aside;
}

/** The names of the damaged databases that were kept aside, newest first. */
export function damagedOf(path: string): string[] {
  const mark = `${basename(path)}.damaged-`;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(mark) && !/-(wal|shm)$/.test(name));
  return names.sort().reverse();
}

/** `2026-01-31T10-20-30Z`: a time that can stand in a file's name. */
export function timeInName(now: number): string {
  // The Swedish way of writing a time is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: "UTC" });
  return `${format.format(now).replace(" ", "T").replaceAll(":", "-")}Z`;
}

// Whether a database is as the agent left it: more than SQLite asks, because a hub that starts on damage would lie or stop for ever.

/** What is wrong with an open database that has been brought up to date; undefined when nothing is. */
function damageIn(db: Database.Database): string | undefined {
  const broken = brokenPages(db);
  if (broken !== undefined) return broken;
  if (schemaText(db) !== expectedSchema()) return "its tables are not those that the agent created";
  for (const [table, columns] of Object.entries(SEALED)) {
    const select = db.prepare<[], Record<string, string | number | null>>(
      `SELECT crc, ${columns.join(", ")} FROM ${table}`,
    );
    for (const row of select.iterate()) {
      if (row.crc !== seal(columns.map((column) => row[column] ?? null)))
        return `a row of ${table} is not as it was written`;
    }
  }
  return undefined;
}

/** What SQLite itself finds wrong with a database, of any version of the agent; undefined when it finds nothing. */
function brokenPages(db: Database.Database): string | undefined {
  const found = String(db.pragma("integrity_check(1)", { simple: true }));
  return found === "ok" ? undefined : found;
}

/** Seals every row: those of an agent that did not seal yet. */
function sealAll(db: Database.Database): void {
  for (const [table, columns] of Object.entries(SEALED)) {
    db.function("seal_row", { varargs: true }, (...fields) => seal(fields as (string | number | null)[]));
    db.exec(`UPDATE ${table} SET crc = seal_row(${columns.join(", ")})`);
  }
}

/** `user_version` is no word of the schema, and a flipped bit in it would look like another agent's work. */
function schemaText(db: Database.Database): string {
  const rows = db
    .prepare<[], { sql: string }>("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    .all();
  return rows.map(({ sql }) => sql).join(";\n");
}

function expectedSchema(): string {
  const fresh = new Database(":memory:");
  try {
    for (const step of MIGRATIONS) fresh.exec(step);
    return schemaText(fresh);
  } finally {
    fresh.close();
  }
}
