/** Reads the agent's log files from the outside, also while they grow and change places. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { logPaths } from "./log-files.ts";

/** Read at once, bytes. */
const CHUNK = 64 * 1024;

export class LogReader {
  readonly #paths: readonly [string, string];
  /** The file that was read last, and how far. */
  #place: { readonly inode: number; readonly offset: number } | undefined;
  #rest = "";

  constructor(dataDir: string) {
    this.#paths = logPaths(dataDir);
  }

  /** The whole lines that have come since the last time, oldest first; at first, all that there are. */
  read(): string[] {
    const [now, before] = this.#paths;
    let text = this.#rest;
    const file = opened(now);
    if (file === undefined) return [];
    try {
      const { ino, size } = fstatSync(file);
      if (this.#place?.inode !== ino) {
        text += this.#missed(before);
        this.#place = { inode: ino, offset: 0 };
      }
      const from = size < this.#place.offset ? 0 : this.#place.offset;
      const more = readFrom(file, from);
      text += more.text;
      this.#place = { inode: ino, offset: from + more.bytes };
    } finally {
      closeSync(file);
    }
    const lines = text.split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter((line) => line !== "");
  }

  /** What the older file holds that was not read while it was the newer one. */
  #missed(path: string): string {
    const file = opened(path);
    if (file === undefined) return "";
    try {
      if (this.#place === undefined) return readFileSync(file, "utf8");
      return fstatSync(file).ino === this.#place.inode ? readFrom(file, this.#place.offset).text : "";
    } finally {
      closeSync(file);
    }
  }
}

function readFrom(file: number, offset: number): { text: string; bytes: number } {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = Buffer.alloc(CHUNK);
    const count = readSync(file, chunk, 0, CHUNK, offset + bytes);
    if (count === 0) break;
    parts.push(chunk.subarray(0, count));
    bytes += count;
  }
  return { text: Buffer.concat(parts).toString("utf8"), bytes };
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw failure;
  }
}
