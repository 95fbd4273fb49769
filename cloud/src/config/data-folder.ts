/** Makes the data folder, one folder after another: Node's recursive way never ends where the kernel says that nothing is there. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The folder cannot be made; the message says it all. */
export class DataFolderBroken extends Error {}

/** For its owner alone, as far as it is not there yet. @throws DataFolderBroken */
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

/** Bytes that an unprivileged user can still write in a folder; NaN where the system does not say. */
export async function freeBytesIn(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.NaN;
  }
}
