/**
 * The claim of one process on an SQLite database. Only the service takes it; commands do not.
 *
 * A service caches tokens and values in memory. A second one on the same file would use values that the first has
 * changed. The claim is SQLite's own lock on an empty file beside the database: the kernel releases it with the
 * process, however that ends.
 */
import { closeSync, openSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Log } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import { damaged, requireUsablePlace, unusable } from "./unusable.ts";

/** Another process serves this database; the message names it. */
export class DatabaseClaimed extends Error {
  constructor(path: string, holder: string) {
    super(
      `The database ${path} is in use by another porchlight-cloud (${holder}): stop that one. Several nodes need PostgreSQL.`,
    );
  }
}

/** Twice what SQLite needs to open a database that was closed in order (the first region of its `-shm`), bytes. */
const RESERVE_BYTES = 65_536;
const BLOCK = Buffer.alloc(4096);

/**
 * Prepares an SQLite database before the service reads it: claims it for this process and checks that it is intact.
 *
 * An orderly shutdown deletes `-wal` and `-shm`, and reading the database creates them again. A reserve file beside it
 * holds the space for that, so that a service starts and answers reads even if another program has filled the disk
 * meanwhile.
 * @throws DatabaseClaimed, DatabaseUnusable, SystemError
 */
export function takeDatabase(path: string, log: Log): Disposable {
  const claim = claimDatabase(path);
  const reserve = `${realPath(path)}-reserve`;
  const release = () => {
    keepSpace(reserve, log);
    claim[Symbol.dispose]();
  };
  try {
    rmSync(reserve, { force: true });
    if (!checkDatabase(path))
      log.warn({ path }, "the database is too large to be checked at startup; a backup checks it");
    return { [Symbol.dispose]: release };
  } catch (error) {
    release();
    throw error;
  }
}

function keepSpace(path: string, log: Log): void {
  try {
    const file = openSync(path, "w", 0o600);
    try {
      for (let bytes = 0; bytes < RESERVE_BYTES; bytes += BLOCK.length) writeSync(file, BLOCK);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    // A partial reserve is kept.
    log.warn({ path, error }, "the space for the next start could not be reserved");
  }
}

/**
 * Claims the database until the claim is disposed or the process ends.
 * @param path of the database, which may not exist yet
 * @throws DatabaseClaimed, DatabaseUnusable, SystemError
 */
export function claimDatabase(path: string): Disposable {
  requireUsablePlace(path);
  const lockFile = `${realPath(path)}-lock`;
  const holderFile = `${realPath(path)}-holder`;
  const lock = takeLock(lockFile);
  if (!lock) throw new DatabaseClaimed(path, readHolder(holderFile));
  try {
    writeFileSync(holderFile, `process ${process.pid} on ${hostname()}\n`);
  } catch (error) {
    lock.close();
    throw error;
  }
  return { [Symbol.dispose]: () => void lock.close() };
}

/** Undefined while another process holds the lock. @throws DatabaseUnusable */
function takeLock(file: string): Sqlite.Database | undefined {
  let lock: Sqlite.Database | undefined;
  try {
    lock = new Sqlite(file, { timeout: 0 });
    // A journal file beside it would need disk space.
    lock.pragma("journal_mode = MEMORY");
    // This transaction writes nothing, so the file stays empty and cannot be damaged.
    lock.exec("begin immediate");
    return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof Sqlite.SqliteError && error.code === "SQLITE_BUSY") return undefined;
    throw unusable(file, error);
  }
}

/** Trusted only while the other process holds the lock, because a crash leaves the text behind. */
function readHolder(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "it has not said which";
  }
}

/** The same path for the same file, whichever links lead to it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The database does not exist yet; its folder may be a link.
    return join(realpathSync(dirname(path)), basename(path));
  }
}

/**
 * The check reads every page, at 500 MB a second or the speed of the disk: a larger file would delay a start by more
 * than some ten seconds.
 */
const CHECKED_BYTES = 4 * 2 ** 30;

/**
 * Looks for damage before the service uses an SQLite database: reads every page, and the committed part of its
 * write-ahead log.
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
    // Unlike `integrity_check` it does not compare indexes with tables, which takes ten times as long.
    found = db.pragma("quick_check(1)", { simple: true });
  } catch (error) {
    throw unusable(path, error);
  } finally {
    db?.close();
  }
  if (found !== "ok") throw damaged(path, String(found).replaceAll(/\s+/g, " "));
  return true;
}
