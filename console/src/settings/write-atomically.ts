/** Replaces a private file whole or not at all: after a crash in the middle the old text or the new one is there, never a piece. */
import * as fs from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";

/** The steps on the disk; a test makes each of them fail. */
export type Disk = Pick<
  typeof fs,
  "openSync" | "writeSync" | "fsyncSync" | "closeSync" | "renameSync" | "rmSync" | "mkdirSync" | "readdirSync"
>;

/** Only its owner may read it: it holds a token. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * @param path of the file; its folder is made when it is missing
 * @throws SystemError, and then the file is as it was
 */
export function writeAtomically(path: string, text: string, random: Random, disk: Disk = fs): void {
  const folder = dirname(path);
  disk.mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const beside = join(folder, `.${basename(path)}.${Buffer.from(random.bytes(6)).toString("hex")}.new`);
  try {
    // Not over what is there: somebody else's file would keep its mode.
    const file = disk.openSync(beside, "wx", FILE_MODE);
    try {
      disk.writeSync(file, text);
      disk.fsyncSync(file);
    } finally {
      disk.closeSync(file);
    }
    disk.renameSync(beside, path);
  } catch (failure) {
    disk.rmSync(beside, { force: true });
    throw failure;
  }
  syncFolder(folder, disk);
}

/** What a process left behind that died between two steps holds a token too. @returns how many there were */
export function removeLeftovers(path: string, disk: Disk = fs): number {
  const folder = dirname(path);
  const isLeftover = (name: string) => name.startsWith(`.${basename(path)}.`) && name.endsWith(".new");
  const left = disk.readdirSync(folder).filter(isLeftover);
  for (const name of left) disk.rmSync(join(folder, name), { force: true });
  return left.length;
}

/** The new name is on the disk when this returns. */
function syncFolder(folder: string, disk: Disk): void {
  const handle = disk.openSync(folder, "r");
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}
