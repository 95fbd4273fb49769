/**
 * A capture file being written: each piece is in the file as soon as it was transmitted, so that a crash loses nothing. A `.pcapng`
 * file holds complete frames instead.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Clock } from "@porchlight/shared/kernel";
import { headerLine, type Passed, passedLine, type Sender } from "./capture.ts";
import { PcapngWriter } from "./pcapng.ts";

/** Format of the file. */
interface Format {
  header(): Uint8Array | string;
  passed(passed: Passed): Uint8Array | string;
  /** The rest of the data, at the end of the capture. */
  finish(): Uint8Array | string;
}

/** Whether a file name has the extension of pcapng. */
export function isPcapngName(path: string): boolean {
  return path.toLowerCase().endsWith(".pcapng");
}

function formatOf(path: string, of: string, at: number): Format {
  if (isPcapngName(path)) return new PcapngWriter(of, at);
  return { header: () => headerLine(of, at), passed: passedLine, finish: () => "" };
}

export class CaptureFile implements Disposable {
  readonly #file: number;
  readonly #clock: Clock;
  readonly #since: number;
  readonly #format: Format;
  #isOpen = true;

  private constructor(file: number, clock: Clock, format: Format) {
    this.#file = file;
    this.#format = format;
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Starts a capture and overwrites the file. @param of subject of the capture, in words @throws Error when the file cannot be written */
  static open(path: string, of: string, clock: Clock): CaptureFile {
    const file = openSync(path, "w");
    const format = formatOf(path, of, clock.now());
    write(file, format.header());
    return new CaptureFile(file, clock, format);
  }

  /** ms since the start. */
  get elapsed(): number {
    return this.#clock.monotonic() - this.#since;
  }

  /** @param node edgeId, in a capture of several nodes */
  add(dir: Sender, bytes: Uint8Array, node?: string): void {
    if (this.#isOpen && bytes.length > 0) write(this.#file, this.#format.passed({ t: this.elapsed, dir, bytes, node }));
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    write(this.#file, this.#format.finish());
    closeSync(this.#file);
  }
}

function write(file: number, what: Uint8Array | string): void {
  if (what.length > 0) writeSync(file, typeof what === "string" ? Buffer.from(what) : what);
}
