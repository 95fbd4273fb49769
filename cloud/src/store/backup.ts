/**
 * Copies a live SQLite database, and creates a database from such a copy.
 *
 * Invariants: the copy shows a single moment, which is later than the call; it gets its name only when it is complete,
 * checked and flushed to disk; no existing file is overwritten.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";

/** The database or the file is not usable for this; the message has the reason. */
export class BackupRefused extends Error {}

/** Pages of one step, 40 MB: signals are handled between two steps. */
const PAGES = 10_000;
/** Readable by the owner only. */
const PRIVATE = 0o600;

/** A sealing key that seals secrets in a database. */
export interface KeyOfCopy {
  readonly id: string;
  readonly fingerprint: string;
}

/**
 * Copies the database into one file, also while a service writes to it.
 * @param from path of the database @param to path of the copy
 * @throws BackupRefused, SystemError, SqliteError
 */
export async function copyDatabase(from: string, to: string, random: Random): Promise<void> {
  refuseWhatIsThere(to);
  const copy = unfinished(to, random);
  // Restricts the mode while the file is empty.
  closeSync(openSync(copy, "wx", PRIVATE));
  try {
    const source = new Sqlite(from, { fileMustExist: true });
    try {
      // Held until the copy is complete: each write meanwhile would restart the copy.
      source.exec("begin");
      source.prepare("select count(*) from sqlite_master").get();
      await source.backup(copy, { progress: () => PAGES });
    } finally {
      source.close();
    }
    standAlone(copy);
    keyList(copy);
    giveName(copy, to);
  } finally {
    tidy(copy);
  }
}

/** Copies a small file beside the copy of the database, readable by its owner only. @throws BackupRefused, SystemError */
export function copyPrivately(text: string, to: string, random: Random): void {
  refuseWhatIsThere(to);
  const copy = unfinished(to, random);
  try {
    writeFileSync(copy, text, { mode: PRIVATE, flag: "wx", flush: true });
    giveName(copy, to);
  } finally {
    tidy(copy);
  }
}

/**
 * Creates a database from a copy; an existing one is not replaced.
 * @param from the copy @param to path at which a service will open the database
 * @returns the keys that its secrets are sealed with
 * @throws BackupRefused, SystemError
 */
export function restoreDatabase(from: string, to: string, random: Random): readonly KeyOfCopy[] {
  if (!existsSync(from)) throw new BackupRefused(`${from} is not there.`);
  // SQLite would apply the leftovers of an earlier database to this one.
  for (const path of [to, `${to}-wal`, `${to}-shm`]) refuseWhatIsThere(path);
  const copy = unfinished(to, random);
  try {
    // Sets the mode before the bytes: the backup may be readable to all.
    closeSync(openSync(copy, "wx", PRIVATE));
    copyFileSync(from, copy, constants.COPYFILE_FICLONE);
    const keys = keyList(copy, from);
    giveName(copy, to);
    return keys;
  } finally {
    tidy(copy);
  }
}

/** Checks every page and returns the keys. @param name the file's name in messages @throws BackupRefused */
function keyList(path: string, name = "the database"): readonly KeyOfCopy[] {
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(path, { readonly: true, fileMustExist: true });
    const found = db.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw new BackupRefused(`${name} is damaged: ${found}.`);
    return db.prepare<[], KeyOfCopy>("select id, fingerprint from sealing_keys order by id").all();
  } catch (failure) {
    if (failure instanceof BackupRefused || !(failure instanceof Sqlite.SqliteError)) throw failure;
    throw new BackupRefused(`${name} is no database of this service, or is damaged: ${failure.message}.`, {
      cause: failure,
    });
  } finally {
    db?.close();
  }
}

/** Folds the write-ahead log into the file, so that the copy is a single file. */
function standAlone(copy: string): void {
  const db = new Sqlite(copy);
  try {
    db.pragma("journal_mode = DELETE");
  } finally {
    db.close();
  }
}

function refuseWhatIsThere(path: string): void {
  if (existsSync(path)) throw new BackupRefused(`${path} is there already.`);
}

function unfinished(path: string, random: Random): string {
  return `${path}.${Buffer.from(random.bytes(4)).toString("hex")}.unfinished`;
}

/** Links the copy to its name: a link fails if the file exists meanwhile, where a rename would overwrite it. */
function giveName(copy: string, to: string): void {
  sync(copy, "r+");
  try {
    linkSync(copy, to);
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
    if (code === "EEXIST") throw new BackupRefused(`${to} is there already.`);
    // The file systems of many USB sticks have no links.
    if (code !== "EPERM" && code !== "EOPNOTSUPP") throw failure;
    renameSync(copy, to);
  }
  sync(dirname(to), "r");
}

function tidy(copy: string): void {
  for (const rest of [copy, `${copy}-journal`, `${copy}-wal`, `${copy}-shm`]) rmSync(rest, { force: true });
}

function sync(path: string, flags: string): void {
  const file = openSync(path, flags);
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
