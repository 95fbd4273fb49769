/**
 * A pairing under way, kept so that a restart in its middle asks on under the code that somebody may be typing, and so that
 * an answer that was lost with the process can be asked for again.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../config/index.ts";
import { type BegunPairing, begunPairing } from "./pairing-cloud.ts";

const kept = z.object({ cloud: z.string(), pairing: begunPairing });

/** Where it is kept in a data folder. */
export function pairingPath(dataDir: string): string {
  return join(dataDir, "pairing.json");
}

export class PairingFile {
  readonly #path: string;
  readonly #cloudUrl: string;

  /** @param cloudUrl whose pairing it is: that of another cloud is not gone on with */
  constructor(dataDir: string, cloudUrl: string) {
    this.#path = pairingPath(dataDir);
    this.#cloudUrl = cloudUrl;
  }

  /** Undefined when there is none, or what is there is none. */
  read(): BegunPairing | undefined {
    try {
      const { data } = kept.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return data?.cloud === this.#cloudUrl ? data.pairing : undefined;
    } catch {
      // Without it another code is asked for, and that is all.
      return undefined;
    }
  }

  /** @throws SystemError */
  write(pairing: BegunPairing): void {
    writePrivateFile(this.#path, `${JSON.stringify({ cloud: this.#cloudUrl, pairing })}\n`);
  }

  /** @throws SystemError */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
