/** A capture that is being written: every piece is in the file as soon as it has passed, so that a crash loses nothing. In a `.pcapng` file it is every frame. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Clock } from "@porchlight/shared/kernel";
import { headerLine, type Passed, passedLine, type Sender } from "./capture.ts";
import { PcapngWriter } from "./pcapng/write.ts";

/** How a file is written. */
interface Format {
  header(): Uint8Array | string;
  passed(passed: Passed): Uint8Array | string;
  /** What is left when no more will come. */
  finish(): Uint8Array | string;
}

/** Whether a file of that name is pcapng. */
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

  /** Begins a capture; what was in the file is gone. @param of what it is of, in words @throws Error when it cannot be written */
  static open(path: string, of: string, clock: Clock): CaptureFile {
    const file = openSync(path, "w");
    const format = formatOf(path, of, clock.now());
    write(file, format.header());
    return new CaptureFile(file, clock, format);
  }

  /** ms since it began. */
  get elapsed(): number {
    return this.#clock.monotonic() - this.#since;
  }

  /** @param node edgeId, in a capture of several */
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
