/** The secret that `webhooks listen` signs with: made once, kept beside the settings, so that a server under test keeps the one it was given. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { Failure } from "../session/failure.ts";
import { writeAtomically } from "../settings/settings-file.ts";

const PREFIX = "whsec_";
/** As many as the service's own have. */
const BYTES = 32;
const FORM = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param settingsPath path of the settings file */
export function secretPath(settingsPath: string): string {
  return join(dirname(settingsPath), "listen-secret");
}

/** The secret at that path; made there when there is none. @throws Failure when what is there is no secret; SystemError */
export function listenSecret(path: string, random: Random): string {
  const kept = read(path)?.trim();
  if (kept === undefined) {
    const made = PREFIX + Buffer.from(random.bytes(BYTES)).toString("base64");
    writeAtomically(path, `${made}\n`, random);
    return made;
  }
  if (FORM.test(kept)) return kept;
  throw new Failure(
    "usage",
    `${path} contains no secret.`,
    "It must be `whsec_` followed by base64. The file was not changed.",
    `delete the file; then a new secret is created`,
  );
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
    throw failure;
  }
}
