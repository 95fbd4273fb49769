/**
 * Disk space reserved for commands: a file of zeros that is deleted when the disk is full, so that the journal can continue,
 * and written again when there is room. Its own file so that the store does not access the file system.
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

  /** @param bytes size of the reserve; 0 reserves nothing */
  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Creates the file, or checks that it exists; false when there is no room for it. */
  make(): boolean {
    if (this.#bytes === 0 || statSync(this.#path, { throwIfNoEntry: false })?.size === this.#bytes) return true;
    // Requires twice its size, so that the next few writes do not release it again.
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

  /** Releases the reserved space. */
  spend(): void {
    rmSync(this.#path, { force: true });
  }

  /** Space of the disk; undefined where the system does not report it. */
  space(): Space | undefined {
    try {
      const { bavail, blocks, bsize } = statfsSync(dirname(this.#path));
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    } catch {
      return undefined;
    }
  }

  /** Writes actual zeros: a sparse file reserves nothing. */
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
