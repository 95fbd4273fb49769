/** A disk of a few megabytes that a test can fill: a tmpfs of its own, which only root may mount. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BLOCK = 4096;

export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "porchlight-disk-"));
  #pieces = 0;

  /** @throws Error with the output of `mount` */
  constructor(bytes: number) {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "porchlight-test", this.path]);
  }

  /** Writes until not one more block fits. */
  fill(): void {
    const file = openSync(this.#piece(this.#pieces++), "w");
    try {
      const block = Buffer.alloc(BLOCK, 0xa5);
      for (;;) writeSync(file, block);
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ENOSPC") throw failure;
    } finally {
      closeSync(file);
    }
  }

  /** Gives back everything that was filled. */
  free(): void {
    while (this.#pieces > 0) rmSync(this.#piece(--this.#pieces));
  }

  [Symbol.dispose](): void {
    execFileSync("umount", ["--lazy", this.path]);
    rmdirSync(this.path);
  }

  #piece(number: number): string {
    return join(this.path, `ballast-${number}`);
  }
}
