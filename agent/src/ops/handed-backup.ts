/**
 * The backup for a command on the hub: the agent writes it into its own folder only, and the command copies it to its destination with the
 * rights of its user. So no caller can make the agent write anywhere else.
 */
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@porchlight/shared/kernel";
import { timeInName } from "../state/index.ts";
import { backupFolder } from "./kept-backups.ts";

const NAME = /^handed-[0-9TZ-]+\.backup(?:\.new(?:-\w+)?)?$/;
/** A command that has not copied its backup within this time has died, ms. */
const TAKEN_MS = 3_600_000;
const PRIVATE = 0o600;

/** The agent of the folder did not write the file, or its destination exists. */
export class BackupNotTaken extends Error {}

/**
 * Makes a backup, and returns its name in the folder of backups.
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
  if (!NAME.test(name)) throw new BackupNotTaken("the agent has named another file");
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
  for (const name of readdirSync(folder).filter((each) => NAME.test(each))) {
    const path = join(folder, name);
    const about = statSync(path, { throwIfNoEntry: false });
    if (about && clock.now() - about.mtimeMs > TAKEN_MS) rmSync(path, { force: true });
  }
}
