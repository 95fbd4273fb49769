/**
 * Backups of a hub in its data folder, made on a request through the cloud or for a command on the hub. They contain the hub's key and
 * token, so they never leave the hub by themselves.
 *
 * Invariants: at most {@link MOST_BACKUPS} are kept; the oldest is deleted only after a new one is complete; the remains of an interrupted
 * copy are deleted with the next backup.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { Clock } from "@porchlight/shared/kernel";
import { type KeptBackup, MOST_BACKUPS } from "@porchlight/shared/model";
import { timeInName } from "../state/index.ts";

/** There is no room for another backup; the message states how much is missing. */
export class NoRoomForBackup extends Error {}

/** Free space that must remain beside a new backup, bytes: reports and commands need room too. */
const LEFT_BYTES = 32 * 1024 * 1024;
const MIB = 1024 * 1024;
const NAME = /^hub-[0-9TZ-]+\.backup$/;

export function backupFolder(dataDir: string): string {
  return join(dataDir, "backups");
}

/** The existing backups, newest first. @throws SystemError */
export function listBackups(dataDir: string): KeptBackup[] {
  const folder = backupFolder(dataDir);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => NAME.test(name));
  const found = names.flatMap((name) => {
    const about = statSync(join(folder, name), { throwIfNoEntry: false });
    return about ? [{ name, at: Math.round(about.mtimeMs), bytes: about.size }] : [];
  });
  return found.sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1));
}

/**
 * Makes a backup, and deletes the oldest beyond the bound.
 * @param databaseBytes size of the hub's history: as much must be free
 * @param write writes the backup atomically, by way of `FILE.new`
 * @throws NoRoomForBackup, SystemError, SqliteError
 */
export async function keepBackup(
  dataDir: string,
  databaseBytes: number,
  clock: Clock,
  write: (file: string) => Promise<void>,
): Promise<KeptBackup> {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeUnfinished(folder);
  requireRoom(folder, databaseBytes);
  const name = freeName(folder, timeInName(clock.now()));
  try {
    await write(join(folder, name));
  } catch (failure) {
    removeUnfinished(folder);
    throw failure;
  }
  const all = listBackups(dataDir);
  const made = all.find((backup) => backup.name === name);
  if (!made) throw new Error(`${name} does not exist after it was written`);
  // After the clock was set back, another backup can have a later date: the one just made always stays.
  const others = all.filter((backup) => backup !== made);
  for (const { name: old } of others.slice(MOST_BACKUPS - 1)) rmSync(join(folder, old), { force: true });
  return made;
}

function freeName(folder: string, stamp: string): string {
  let name = `hub-${stamp}.backup`;
  for (let again = 2; existsSync(join(folder, name)); again++) name = `hub-${stamp}-${again}.backup`;
  return name;
}

function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) if (/\.new(?:-\w+)?$/.test(name)) rmSync(join(folder, name), { force: true });
}

function requireRoom(folder: string, databaseBytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const [free, needed] = [bavail * bsize, databaseBytes + LEFT_BYTES];
  if (free >= needed) return;
  throw new NoRoomForBackup(
    `The disk has ${Math.floor(free / MIB)} MiB free, and a backup needs ${Math.ceil(needed / MIB)} MiB.`,
  );
}

const HANDED_NAME = /^handed-[0-9TZ-]+\.backup(?:\.new(?:-\w+)?)?$/;
/** A command that has not copied its backup within this time has died, ms. */
const TAKEN_MS = 3_600_000;
const PRIVATE = 0o600;

/** The agent of the folder did not write the file, or its destination exists. */
export class BackupNotTaken extends Error {}

/**
 * Makes a backup for a command on the hub, and returns its name in the folder of backups. The agent writes into its own folder only, and
 * the command copies the file with the rights of its user, so that no caller can make the agent write anywhere else.
 * @param write writes the backup atomically, by way of `FILE.new`
 * @throws SystemError, SqliteError
 */
export async function handBackup(
  dataDir: string,
  clock: Clock,
  write: (file: string) => Promise<void>,
): Promise<{ readonly name: string }> {
  const folder = backupFolder(dataDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeForgotten(folder, clock);
  const stamp = timeInName(clock.now());
  let name = `handed-${stamp}.backup`;
  for (let again = 2; existsSync(join(folder, name)) || existsSync(join(folder, `${name}.new`)); again++)
    name = `handed-${stamp}-${again}.backup`;
  const path = join(folder, name);
  try {
    await write(path);
  } catch (failure) {
    for (const left of [`${path}.new`, path]) rmSync(left, { force: true });
    throw failure;
  }
  return { name };
}

/**
 * Copies the backup to its destination, and deletes the agent's copy. Runs in the process of the command.
 * @throws BackupNotTaken, SystemError
 */
export function takeBackup(dataDir: string, name: string, file: string): void {
  if (!HANDED_NAME.test(name)) throw new BackupNotTaken("the agent has named another file");
  const path = join(backupFolder(dataDir), name);
  try {
    copyFileSync(path, file, constants.COPYFILE_EXCL);
    chmodSync(file, PRIVATE);
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "EEXIST")
      throw new BackupNotTaken(`${file} already exists: choose another name`);
    rmSync(file, { force: true });
    throw failure;
  } finally {
    rmSync(path, { force: true });
  }
}

function removeForgotten(folder: string, clock: Clock): void {
  for (const name of readdirSync(folder).filter((each) => HANDED_NAME.test(each))) {
    const path = join(folder, name);
    const about = statSync(path, { throwIfNoEntry: false });
    if (about && clock.now() - about.mtimeMs > TAKEN_MS) rmSync(path, { force: true });
  }
}
