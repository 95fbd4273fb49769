/**
 * How long the token in use has been refused, over all lives of the agent: kept so that a hub that is restarted often still shows a
 * code in the end. Time that the agent ran, not a date: a hub's wall clock may be wrong.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../config/index.ts";

const kept = z.object({ token: z.string(), refusedMs: z.number().min(0) });

/** Where it is kept in a data folder. */
export function refusedPath(dataDir: string): string {
  return join(dataDir, "refused.json");
}

export class RefusedFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = refusedPath(dataDir);
  }

  /** For how long that token has been refused, ms; 0 when nothing is known of it. */
  read(token: string): number {
    try {
      const { data } = kept.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return data?.token === nameOf(token) ? data.refusedMs : 0;
    } catch {
      // Without it the hub is patient anew, and that is all.
      return 0;
    }
  }

  /** @throws SystemError */
  write(token: string, refusedMs: number): void {
    writePrivateFile(this.#path, `${JSON.stringify({ token: nameOf(token), refusedMs })}\n`);
  }

  /** @throws SystemError */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** The token itself stands in its own file only. */
function nameOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
