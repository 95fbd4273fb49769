/**
 * The agent's own log: two files of bounded size in the data folder, for hubs that keep no journal and for `logs`. Lines
 * are gathered and written together, because flash wears out by the number of writes; a warning is written at once.
 *
 * Invariants: the log never fails what it tells of, also on a full disk; the two files together stay within the bound.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
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
