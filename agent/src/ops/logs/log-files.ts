/**
 * The agent's own log: two files of bounded size in the data folder, for hubs that keep no journal and for `logs`. Lines
 * are gathered and written together, because flash wears out by the number of writes; a warning is written at once.
 *
 * Invariants: the log never fails what it tells of, also on a full disk; the two files together stay within the bound.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Clock, Timer } from "@porchlight/shared/kernel";

/** Newest first. */
export function logPaths(dataDir: string): readonly [string, string] {
  return [join(dataDir, "log", "agent.log"), join(dataDir, "log", "agent.log.1")];
}

const GATHER_MS = 2000;
/** More than this does not wait. */
const GATHER_BYTES = 16 * 1024;
/** pino's number of the level from which on a line is written at once. */
const WARN = 40;

export class LogFiles implements Disposable {
  readonly #paths: readonly [string, string];
  readonly #clock: Clock;
  readonly #halfBytes: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #timer: Timer | undefined;
  #written: number | undefined;
  #lost = 0;

  /** @param bytes of both files together, at most */
  constructor(dataDir: string, bytes: number, clock: Clock) {
    this.#paths = logPaths(dataDir);
    this.#halfBytes = Math.floor(bytes / 2);
    this.#clock = clock;
  }

  /** Lines that could not be written. */
  get lost(): number {
    return this.#lost;
  }

  /** Takes a line of pino, with its line end. */
  write(line: string): void {
    this.#waiting.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
    if (levelOf(line) >= WARN || this.#waitingBytes > GATHER_BYTES) this.flush();
    else this.#timer ??= this.#clock.timer("log", GATHER_MS, () => this.flush());
  }

  /** Writes what was gathered. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const lines = this.#waiting;
    if (lines.length === 0) return;
    const bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      this.#append(lines.join(""), bytes);
    } catch {
      // The journal of the system has them; a full disk must not stop the agent.
      this.#lost += lines.length;
      this.#written = undefined;
    }
  }

  [Symbol.dispose](): void {
    this.flush();
  }

  #append(text: string, bytes: number): void {
    const [now, before] = this.#paths;
    if (this.#written === undefined) {
      mkdirSync(dirname(now), { recursive: true, mode: 0o700 });
      this.#written = statSync(now, { throwIfNoEntry: false })?.size ?? 0;
    }
    if (this.#written > 0 && this.#written + bytes > this.#halfBytes) {
      renameSync(now, before);
      this.#written = 0;
    }
    appendFileSync(now, text, { mode: 0o600 });
    this.#written += bytes;
  }
}

function levelOf(line: string): number {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
}

// Reads the agent's log files from the outside, also while they grow and change places.

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
