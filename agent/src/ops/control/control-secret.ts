/**
 * What a command must show to be answered by the agent of a data folder: a text that is new at each start, in a file that the agent's user
 * and root can read. A driver in a child has the agent's user, and can read no file of the folder (ADR 31).
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemRandom } from "@porchlight/shared/kernel";
import { writePrivateFile } from "../../config/index.ts";

const FILE = "control.secret";
const BYTES = 32;

/** A new one in the folder. On a full disk that of the last start goes on; undefined when there is none either: nothing is answered then. */
export function newSecret(dataDir: string): string | undefined {
  const secret = Buffer.from(systemRandom.bytes(BYTES)).toString("base64url");
  try {
    writePrivateFile(join(dataDir, FILE), secret);
    return secret;
  } catch {
    return readSecret(dataDir);
  }
}

/** Undefined when it is not there, or is another user's. */
export function readSecret(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, FILE), "utf8") || undefined;
  } catch {
    return undefined;
  }
}

/** In a time that says nothing about how much of it is right. */
export function isSecret(given: string | undefined, secret: string | undefined): boolean {
  if (given === undefined || secret === undefined) return false;
  return timingSafeEqual(digestOf(given), digestOf(secret));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
