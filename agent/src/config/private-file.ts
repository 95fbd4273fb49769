/** Writes a file that only its owner may read, whole or not at all. */
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";

/** @throws SystemError as the file system does */
export function writePrivateFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}
