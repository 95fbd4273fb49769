/**
 * The agent's own log: two files of bounded size in the data folder, for hubs without a journal and for `logs`. Lines are buffered and
 * written together, because flash wears out by the number of writes; a warning is written at once.
 *
 * Invariants: a failure to log, as on a full disk, never fails the logged operation; the two files together stay within the bound.
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
import { LOG_LEVELS, type LogLevel, printable } from "@porchlight/shared/model";
import { z } from "zod";

/** The paths of the log files, newest first. */
export function logPaths(dataDir: string): readonly [string, string] {
  return [join(dataDir, "log", "agent.log"), join(dataDir, "log", "agent.log.1")];
}

const GATHER_MS = 2000;
/** A larger buffer is written at once. */
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

  /** @param bytes maximum size of both files together */
  constructor(dataDir: string, bytes: number, clock: Clock) {
    this.#paths = logPaths(dataDir);
    this.#halfBytes = Math.floor(bytes / 2);
    this.#clock = clock;
  }

  /** Lines that could not be written. */
  get lost(): number {
    return this.#lost;
  }

  /** Accepts a line of pino, with its line end. */
  write(line: string): void {
    this.#waiting.push(line);
    this.#waitingBytes += Buffer.byteLength(line);
    if (levelOf(line) >= WARN || this.#waitingBytes > GATHER_BYTES) this.flush();
    else this.#timer ??= this.#clock.timer("log", GATHER_MS, () => this.flush());
  }

  /** Writes the buffered lines. */
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
      // The system's journal has the lines; a full disk must not stop the agent.
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

/** Bytes read at once. */
const CHUNK = 64 * 1024;

/** Reads the agent's log files from another process, also while they grow and are rotated. */
export class LogReader {
  readonly #paths: readonly [string, string];
  /** The file that was read last, and the offset in it. */
  #place: { readonly inode: number; readonly offset: number } | undefined;
  #rest = "";

  constructor(dataDir: string) {
    this.#paths = logPaths(dataDir);
  }

  /** Returns the complete lines since the last call, oldest first; at the first call, all lines. */
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

  /** The part of the older file that was not read before the rotation. */
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

export const LEVELS = LOG_LEVELS;
type Level = LogLevel;

/** pino's numbers. */
const NUMBERS: Readonly<Record<Level, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

const line = z.looseObject({ level: z.number(), time: z.number(), msg: z.string() });
type ParsedLine = z.infer<typeof line>;
/** Fields that pino adds, and fields that are shown separately. */
const APART: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname"]);

export function isLevel(text: string): text is Level {
  return LEVELS.some((level) => level === text);
}

/** Formats `2026-01-31 10:20:30  warn   the outbox is full  dropped=12`; undefined below the level `least`. */
export function logLine(raw: string, least: Level): string | undefined {
  const parsed = readLine(raw);
  if (!parsed) return printable(raw);
  if (!isAsGraveAs(parsed, least)) return undefined;
  const about = fieldsOf(parsed).map(([key, value]) =>
    printable(`${key}=${typeof value === "string" ? value : JSON.stringify(value)}`),
  );
  return [timeText(parsed.time), levelOfLine(parsed).padEnd(5), [printable(parsed.msg), ...about].join("  ")].join(
    "  ",
  );
}

/** Undefined for a text that is not a line of pino. */
export function readLine(raw: string): ParsedLine | undefined {
  try {
    return line.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}

export function isAsGraveAs({ level }: ParsedLine, least: Level): boolean {
  return level >= NUMBERS[least];
}

export function levelOfLine({ level }: ParsedLine): Level {
  return [...LEVELS].reverse().find((each) => level >= NUMBERS[each]) ?? "debug";
}

/** The line's fields besides its message. */
export function fieldsOf(parsed: ParsedLine): [string, unknown][] {
  return Object.entries(parsed).filter(([key]) => !APART.has(key));
}

/** Formats as ISO 8601, which is the Swedish date format; in the reader's time zone. */
function timeText(time: number): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" }).format(time);
}
