/**
 * A hub in one file: an SQLite database, the copy of `agent.db` with one more table for the other files. One format that
 * checks itself, and no archive.
 *
 * Invariants: a restored hub begins a new history, and repeats no record that it may have sent before; existing files are set aside,
 * never overwritten.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Clock } from "@porchlight/shared/kernel";
import Database from "better-sqlite3";
import { readEdgeId, writePrivateFile } from "../config/index.ts";
import { forgetSent, timeInName } from "../state/index.ts";

/** The file is not a backup or is damaged, or its destination exists. */
export class BackupUnusable extends Error {}

const HISTORY = "agent.db";
const IDENTITY = "identity.key";
const FILES = [IDENTITY, "token"];
/** Access for the owner only. */
const PRIVATE = 0o600;

export interface Restored {
  readonly edgeId: string;
  /** When the backup was made, `2026-01-31T10-20-30Z`. */
  readonly madeAt: string;
  /** The files that were set aside, under their new names. */
  readonly aside: readonly string[];
}

/**
 * Completes the copy of the history to a backup and renames it: until then no file of this name exists.
 * @param copy path of the copy of `agent.db`; it is moved
 * @throws SystemError
 */
export function completeBackup(copy: string, dataDir: string, file: string, clock: Clock): void {
  // Before the key and the token are written into it.
  chmodSync(copy, PRIVATE);
  const db = new Database(copy);
  try {
    db.pragma("journal_mode = DELETE");
    db.exec("CREATE TABLE backup_files (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT");
    const insert = db.prepare("INSERT INTO backup_files VALUES (?, ?)");
    insert.run("made-at", Buffer.from(timeInName(clock.now())));
    for (const name of FILES) {
      const path = join(dataDir, name);
      if (existsSync(path)) insert.run(name, readFileSync(path));
    }
  } finally {
    db.close();
  }
  sync(copy);
  renameSync(copy, file);
}

/** Writes a backup of a folder on which no agent runs. @throws SystemError, SqliteError */
export async function writeBackup(dataDir: string, file: string, clock: Clock): Promise<void> {
  const path = join(dataDir, HISTORY);
  if (!existsSync(path)) throw new BackupUnusable(`${dataDir} contains no hub`);
  const db = new Database(path, { fileMustExist: true });
  const copy = `${file}.new`;
  try {
    await db.backup(copy);
  } finally {
    db.close();
  }
  completeBackup(copy, dataDir, file, clock);
}

/**
 * Creates a data folder from a backup.
 * @param replace whether existing files of the folder may be set aside
 * @throws BackupUnusable, SystemError
 */
export function restoreBackup(file: string, dataDir: string, clock: Clock, replace: boolean): Restored {
  const files = readFiles(file);
  const identity = files.get(IDENTITY);
  const edgeId = identity && readEdgeId(identity.toString());
  if (!edgeId) throw new BackupUnusable(`${file} is not a backup of a hub`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const inTheWay = [HISTORY, `${HISTORY}-wal`, `${HISTORY}-shm`, ...FILES].filter((name) =>
    existsSync(join(dataDir, name)),
  );
  if (inTheWay.length > 0 && !replace)
    throw new BackupUnusable(`${dataDir} already contains a hub: with --replace its files are renamed, not deleted`);

  const history = join(dataDir, `${HISTORY}.new`);
  rmSync(history, { force: true });
  copyHistory(file, history);
  const stamp = timeInName(clock.now());
  const aside = inTheWay.map((name) => {
    const kept = join(dataDir, `${name}.replaced-${stamp}`);
    renameSync(join(dataDir, name), kept);
    return kept;
  });
  for (const name of FILES) {
    const content = files.get(name);
    if (content) writePrivateFile(join(dataDir, name), content.toString());
  }
  renameSync(history, join(dataDir, HISTORY));
  return { edgeId, madeAt: String(files.get("made-at") ?? "an unknown time"), aside };
}

function readFiles(file: string): Map<string, Buffer> {
  if (!existsSync(file)) throw new BackupUnusable(`${file} does not exist`);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    if (db.pragma("integrity_check(1)", { simple: true }) !== "ok") throw new BackupUnusable(`${file} is damaged`);
    const rows = db.prepare<[], { name: string; content: Buffer }>("SELECT name, content FROM backup_files").all();
    return new Map(rows.map(({ name, content }) => [name, content]));
  } catch (failure) {
    if (failure instanceof BackupUnusable) throw failure;
    throw new BackupUnusable(`${file} is not a backup of a hub, or is damaged`, { cause: failure });
  } finally {
    db?.close();
  }
}

/** Copies the history alone, and makes it that of a hub that begins a new history. */
function copyHistory(file: string, to: string): void {
  const from = new Database(file, { readonly: true, fileMustExist: true });
  try {
    from.prepare("VACUUM INTO ?").run(to);
  } finally {
    from.close();
  }
  chmodSync(to, PRIVATE);
  const db = new Database(to);
  try {
    db.exec("DROP TABLE backup_files");
    forgetSent(db);
  } finally {
    db.close();
  }
  sync(to);
}

function sync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
