/** Makes the data folder, one level at a time: Node's recursive mkdir never ends where the kernel reports ENOENT for a parent. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The folder cannot be made; the message states the reason. */
export class DataFolderBroken extends Error {}

/** Makes the missing folders, accessible to their owner only. @throws DataFolderBroken */
export function makeDataFolder(path: string): void {
  const folder = resolve(path);
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  try {
    for (const each of missing) mkdirSync(each, { mode: 0o700 });
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new DataFolderBroken(`The data folder ${folder} cannot be created (${why}). Choose another with --data.`, {
      cause,
    });
  }
  if (!statSync(folder).isDirectory())
    throw new DataFolderBroken(`The data folder ${folder} is a file. Choose another with --data.`);
}

/** Bytes that an unprivileged user can still write in a folder; NaN where the system does not report it. */
export async function freeBytesIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}
