/**
 * The claim of one process on an SQLite database: its own file because only the service takes it, and no command does.
 *
 * A service keeps tokens and values in memory. A second one on the same file would go on with what the first has changed. The claim
 * is SQLite's own lock on an empty file beside the database: the kernel gives it up with the process, however that ends.
 */
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Log } from "@porchlight/shared/kernel";
import Sqlite from "better-sqlite3";
import { checkDatabase } from "./check-database.ts";
import { requireUsablePlace, unusable } from "./unusable.ts";

/** Another process serves this database; the message names it. */
export class DatabaseClaimed extends Error {
  constructor(path: string, holder: string) {
    super(
      `The database ${path} is in use by another porchlight-cloud (${holder}): stop that one. Several nodes need PostgreSQL.`,
    );
  }
}

/**
 * What a service does with an SQLite database before anything reads it: it is this process's, and is whole.
 * @throws DatabaseClaimed, DatabaseUnusable, SystemError
 */
export function takeDatabase(path: string, log: Log): Disposable {
  const claim = claimDatabase(path);
  try {
    if (!checkDatabase(path))
      log.warn({ path }, "the database is too large to be checked at startup; a backup checks it");
    return claim;
  } catch (error) {
    claim[Symbol.dispose]();
    throw error;
  }
}

/**
 * Claims the database until the claim is disposed or the process ends.
 * @param path of the database, which need not exist yet
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

/** Undefined while another has it. @throws DatabaseUnusable */
function takeLock(file: string): Sqlite.Database | undefined {
  let lock: Sqlite.Database | undefined;
  try {
    lock = new Sqlite(file, { timeout: 0 });
    // Nothing is written in this transaction, so the file stays empty and cannot be damaged.
    lock.exec("begin immediate");
    return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof Sqlite.SqliteError && error.code === "SQLITE_BUSY") return undefined;
    throw unusable(file, error);
  }
}

/** Only looked at while the lock is held, so that what a crash leaves behind is never believed. */
function readHolder(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "it has not said which";
  }
}

/** One name for one file, whichever links lead to it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A database that is yet to be made; its folder may be a link.
    return join(realpathSync(dirname(path)), basename(path));
  }
}
