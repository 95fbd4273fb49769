/**
 * A hub leaves its owner: what it keeps is its key, its edgeId and the devices that it has, and nothing that says whose it was.
 * Its own file, because it is done between two lives of an agent, never in the middle of one.
 *
 * Invariants: begun, it is finished, by the next start if need be; it can be done twice.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type TokenStore, writePrivateFile } from "../config/index.ts";
import { forgetOwner } from "../state/index.ts";
import { pairingPath } from "./pairing.ts";

const HISTORY = "agent.db";

/** Says that the hub is to forget, before anything of it is gone. @throws SystemError */
export function beginToForget(dataDir: string): void {
  writePrivateFile(markPath(dataDir), "this hub leaves its owner\n");
}

/**
 * Finishes what was begun, if it was; no agent may run on the folder.
 * @returns whether it was
 * @throws SystemError, SqliteError
 */
export function finishToForget(dataDir: string, tokens: Pick<TokenStore, "remove">): boolean {
  if (!existsSync(markPath(dataDir))) return false;
  tokens.remove();
  for (const path of [pairingPath(dataDir), refusedPath(dataDir)]) rmSync(path, { force: true });
  const history = join(dataDir, HISTORY);
  if (existsSync(history) && !forgetOwner(history)) remove(dataDir, (name) => name.startsWith(HISTORY));
  remove(dataDir, isLeftOver);
  for (const name of ["log", "backups"]) rmSync(join(dataDir, name), { recursive: true, force: true });
  rmSync(markPath(dataDir), { force: true });
  return true;
}

/** Older copies of what was forgotten: damaged databases, what a backup was restored over, what was being written. */
function isLeftOver(name: string): boolean {
  return name.startsWith(`${HISTORY}.damaged-`) || /\.replaced-[^/]*$/.test(name) || name.endsWith(".new");
}

function remove(dataDir: string, isMeant: (name: string) => boolean): void {
  for (const name of readdirSync(dataDir).filter(isMeant)) rmSync(join(dataDir, name), { force: true });
}

function markPath(dataDir: string): string {
  return join(dataDir, "leaving");
}

/**
 * How long the token in use has been refused, over all lives of the agent: kept so that a hub that is restarted often still shows a
 * code in the end. Time that the agent ran, not a date: a hub's wall clock may be wrong.
 */
const kept = z.object({ token: z.string(), refusedMs: z.number().min(0) });

/** Where it is kept in a data folder. */
function refusedPath(dataDir: string): string {
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
