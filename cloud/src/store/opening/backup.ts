/**
 * A copy of a living SQLite database, and a database made of such a copy.
 *
 * Invariants: the copy is of one moment, which lies after the call; it has its name only once it is whole, checked and on the
 * disk; nothing that is there is written over.
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

/** The database or the file cannot be used for that; the message says why. */
export class BackupRefused extends Error {}

/** Pages of one step, 40 MB: between two of them signals are heard. */
const PAGES = 10_000;
/** The owner's alone. */
const PRIVATE = 0o600;

/** A sealing key that a database was sealed with. */
export interface KeyOfCopy {
  readonly id: string;
  readonly fingerprint: string;
}

/**
 * Copies the database into one file, also while a service writes to it.
 * @param from path of the database @param to of the copy
 * @throws BackupRefused, SystemError, SqliteError
 */
export async function copyDatabase(from: string, to: string, random: Random): Promise<void> {
  refuseWhatIsThere(to);
  const copy = unfinished(to, random);
  // Before anything stands in it.
  closeSync(openSync(copy, "wx", PRIVATE));
  try {
    const source = new Sqlite(from, { fileMustExist: true });
    try {
      // Held to the end: what is written meanwhile would make the copy begin anew, again and again.
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

/** Copies a small file beside the copy of the database, for its owner alone. @throws BackupRefused, SystemError */
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
 * Makes a database of a copy, where there is none.
 * @param from the copy @param to where a service will look for it
 * @returns the keys that it was sealed with
 * @throws BackupRefused, SystemError
 */
export function restoreDatabase(from: string, to: string, random: Random): readonly KeyOfCopy[] {
  if (!existsSync(from)) throw new BackupRefused(`${from} is not there.`);
  // What an earlier database has left would be taken for this one's.
  for (const path of [to, `${to}-wal`, `${to}-shm`]) refuseWhatIsThere(path);
  const copy = unfinished(to, random);
  try {
    // Its mode before its bytes: the backup may be readable to all.
    closeSync(openSync(copy, "wx", PRIVATE));
    copyFileSync(from, copy, constants.COPYFILE_FICLONE);
    const keys = keyList(copy, from);
    giveName(copy, to);
    return keys;
  } finally {
    tidy(copy);
  }
}

/** Checks every page, and gives the keys. @param name how the file is called to people @throws BackupRefused */
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

/** One file, without a second one in which a part of it stands. */
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

/** A link is refused where something has come meanwhile; a renaming would write over it. */
function giveName(copy: string, to: string): void {
  sync(copy, "r+");
  try {
    linkSync(copy, to);
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
    if (code === "EEXIST") throw new BackupRefused(`${to} is there already.`);
    // A stick with a file system of other people's knows no links.
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
