/**
 * A hub leaves its owner: it keeps its key, its edgeId and its devices, and nothing that identifies the owner. Its own file, because it
 * runs between two lives of an agent, never during one.
 *
 * Invariants: once begun, it is finished, if necessary by the next start; it can be repeated.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type TokenStore, writePrivateFile } from "../config/index.ts";
import { forgetOwner } from "../state/index.ts";
import { pairingPath } from "./pairing.ts";

const HISTORY = "agent.db";

/** Marks the folder as to be forgotten, before anything is deleted. @throws SystemError */
export function beginToForget(dataDir: string): void {
  writePrivateFile(markPath(dataDir), "this hub leaves its owner\n");
}

/**
 * Finishes the deletion if it was begun; no agent may run on the folder.
 * @returns whether it was begun
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

/** Whether a file is an older copy of the deleted data: a damaged database, a file replaced by a restore, an unfinished file. */
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
 * The stored time for which the current token has been refused, over all lives of the agent, so that a hub with frequent restarts still
 * shows a code eventually. It counts running time and not dates: a hub's wall clock may be wrong.
 */
const kept = z.object({ token: z.string(), refusedMs: z.number().min(0) });

/** The path of the file in a data folder. */
function refusedPath(dataDir: string): string {
  return join(dataDir, "refused.json");
}

/** Stores how long the current token has been refused. */
export class RefusedFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = refusedPath(dataDir);
  }

  /** How long that token has been refused, ms; 0 when the file does not know it. */
  read(token: string): number {
    try {
      const { data } = kept.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return data?.token === nameOf(token) ? data.refusedMs : 0;
    } catch {
      // Without the file the hub only starts to count again.
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

/** A hash that names the token: the token itself is in its own file only. */
function nameOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
