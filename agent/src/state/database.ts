/**
 * Opens `agent.db`: its pragmas, its migrations, and the handling of a damaged file.
 *
 * Frequent statements write `+?` where they look up rows: built with STAT4, SQLite plans a statement again whenever a variable
 * used for planning is bound again, which takes several times as long as running it. A variable behind a plus is not used for planning.
 */
import { accessSync, constants, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import type { Clock, Log } from "@porchlight/shared/kernel";
import Database from "better-sqlite3";
import { MIGRATIONS, SEALED, SEALED_SINCE } from "./schema.ts";

export type Db = Database.Database;

/** How long to wait for a lock, ms: another agent on the same folder does not release it. */
const LOCK_WAIT_MS = 500;
const DAMAGED = ["SQLITE_NOTADB", "SQLITE_CORRUPT", "SQLITE_FORMAT", "SQLITE_IOERR_SHORT_READ"];
/** Codes that mean a damaged header or schema, provided that the file itself can be read and written. */
const DAMAGED_IF_WRITABLE = [
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_ERROR",
  "SQLITE_CONSTRAINT",
  "SQLITE_MISMATCH",
];
/** Maximum damaged databases kept for inspection: a hub's disk is small. */
const MOST_KEPT = 3;

/** The database cannot be used, and it is not damaged: another agent has it open, or a newer agent wrote it. */
export class StateUnusable extends Error {}

/**
 * Opens the database, and creates it where there is none. A damaged database is logged and set aside under a name with the
 * time, and a new one is created.
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

/** Describes the damage of the database of a folder on which no agent runs, without changing it; undefined when it is sound. */
export function examineDatabase(path: string): string | undefined {
  let db: Db | undefined;
  try {
    db = new Database(path, { readonly: true, fileMustExist: true, timeout: LOCK_WAIT_MS });
    // The database of an older agent is migrated at the next start.
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
    // Exclusive: two agents on one folder would assign the same numbers to different records.
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
    // A newer agent has changed the tables; if they are still this agent's, the version number itself is damaged.
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

/** Whether the error means a damaged file, and not a full disk or a lock of another process. */
export function isDamage(failure: unknown): failure is Error {
  if (failure instanceof DamagedDatabase) return true;
  return failure instanceof Database.SqliteError && DAMAGED.some((code) => failure.code.startsWith(code));
}

/** Whether the disk is full. */
export function isDiskFull(failure: unknown): boolean {
  return (
    failure instanceof Database.SqliteError && (failure.code === "SQLITE_FULL" || failure.code === "SQLITE_IOERR_WRITE")
  );
}

/** SQLite result codes for a bad input of a statement: a constraint, a type, a size, the number of parameters. */
const OF_RECORD = /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/;

/** Whether the error is caused by the record, and not by the disk, the file or a lock: another attempt fails too. */
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

/** Moves the file and the files that SQLite keeps beside it; the name carries the time, so that no earlier copy is overwritten. */
function setAside(path: string, clock: Clock): string {
  const base = `${path}.damaged-${timeInName(clock.now())}`;
  let aside = base;
  for (let again = 2; existsSync(aside); again++) aside = `${base}-${again}`;
  for (const part of ["", "-wal", "-shm"]) if (existsSync(path + part)) renameSync(path + part, aside + part);
  for (const old of damagedOf(path).slice(MOST_KEPT))
    for (const part of ["", "-wal", "-shm"]) rmSync(join(dirname(path), old + part), { force: true });
  return aside;
}

/** The names of the damaged databases that were set aside, newest first. */
export function damagedOf(path: string): string[] {
  const mark = `${basename(path)}.damaged-`;
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(mark) && !/-(wal|shm)$/.test(name));
  return names.sort().reverse();
}

/** Formats a time for use in a file name: `2026-01-31T10-20-30Z`. */
export function timeInName(now: number): string {
  // The Swedish date format is ISO 8601.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: "UTC" });
  return `${format.format(now).replace(" ", "T").replaceAll(":", "-")}Z`;
}

/**
 * Describes the damage of an open, migrated database; undefined when it is sound. It checks more than SQLite does, because a hub
 * that starts on damage would report wrong values or stop for ever.
 */
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

/** The damage that SQLite itself finds in a database, of any version of the agent; undefined when it finds none. */
function brokenPages(db: Database.Database): string | undefined {
  const found = String(db.pragma("integrity_check(1)", { simple: true }));
  return found === "ok" ? undefined : found;
}

/** Seals every row of a database that an agent without checksums wrote. */
function sealAll(db: Database.Database): void {
  for (const [table, columns] of Object.entries(SEALED)) {
    db.function("seal_row", { varargs: true }, (...fields) => seal(fields as (string | number | null)[]));
    db.exec(`UPDATE ${table} SET crc = seal_row(${columns.join(", ")})`);
  }
}

/** The schema as text. `user_version` is not part of it, and a flipped bit in it would look like another agent's work. */
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

/**
 * A checksum of a row, stored beside it: CRC-32 of the fields in their order. SQLite checks the structure of its pages, not their content,
 * and a flipped bit in a value would be reported to the cloud as the device's value.
 */
export function seal(fields: readonly (string | number | null)[]): number {
  let text = "";
  for (const field of fields) text += `${field ?? ""}\u0000`;
  return crc32(text);
}
