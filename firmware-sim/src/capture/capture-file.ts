/** A capture that is being written: every piece is in the file as soon as it has passed, so that a crash loses nothing. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Clock } from "@porchlight/shared/kernel";
import { headerLine, passedLine, type Sender } from "./capture.ts";

export class CaptureFile implements Disposable {
  readonly #file: number;
  readonly #clock: Clock;
  readonly #since: number;
  #isOpen = true;

  private constructor(file: number, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
    this.#since = clock.monotonic();
  }

  /** Begins a capture; what was in the file is gone. @param of what it is of, in words @throws Error when it cannot be written */
  static open(path: string, of: string, clock: Clock): CaptureFile {
    const file = openSync(path, "w");
    writeSync(file, headerLine(of, clock.now()));
    return new CaptureFile(file, clock);
  }

  /** ms since it began. */
  get elapsed(): number {
    return this.#clock.monotonic() - this.#since;
  }

  /** @param node edgeId, in a capture of several */
  add(dir: Sender, bytes: Uint8Array, node?: string): void {
    if (this.#isOpen && bytes.length > 0) writeSync(this.#file, passedLine({ t: this.elapsed, dir, bytes, node }));
  }

  [Symbol.dispose](): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }
}
