/**
 * Backups of a hub in its data folder, made on a request through the cloud. They contain the hub's key and token, so they never leave
 * the hub by themselves.
 *
 * Invariants: at most {@link MOST_BACKUPS} are kept; the oldest is deleted only after a new one is complete; the remains of an
 * interrupted copy are deleted with the next backup.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
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
