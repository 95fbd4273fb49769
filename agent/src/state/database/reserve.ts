/**
 * Room on the disk that is kept for commands: a file of zeros that is given up when the disk takes nothing more, so that
 * the journal can go on, and is made again when there is room. Its own file so that the store knows no file system.
 */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export interface Space {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export class Reserve {
  readonly #path: string;
  readonly #bytes: number;

  /** @param bytes how much is kept; 0 keeps nothing */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Makes it, or sees that it is there; false when there is no room for it. */
  make(): boolean {
    if (this.#bytes === 0 || statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes) return true;
    // Twice its size, so that it is not given up again by the next few writes.
    const space = this.space();
    if (space && space.freeBytes < 2 * this.#bytes) return false;
    try {
      this.#write();
      return true;
    } catch {
      this.spend();
      return false;
    }
  }

  /** Gives it up. */
  spend(): void {
    rmSync(this.#path, { force: true });
  }

  /** Of the disk; undefined where the system does not say. */
  space(): Space | undefined {
    try {
      const { bavail, blocks, bsize } = statfsSync(dirname(this.#path));
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    } catch {
      return undefined;
    }
  }

  /** Zeros that are really written: a sparse file reserves nothing. */
  #write(): void {
    const file = openSync(this.#path, "w", 0o600);
    try {
      const block = Buffer.alloc(64 * 1024);
      for (let left = this.#bytes; left > 0; left -= block.length)
        writeSync(file, block, 0, Math.min(left, block.length));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}
