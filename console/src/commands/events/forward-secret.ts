/** The signing secret of `webhooks listen`: created once and stored beside the settings, so that a server under test can keep its copy. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { Failure } from "../../session/failure.ts";
import { writeAtomically } from "../../settings/settings-file.ts";

const PREFIX = "whsec_";
/** Length of the service's own secrets. */
const BYTES = 32;
const FORM = /^whsec_(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param settingsPath path of the settings file */
export function secretPath(settingsPath: string): string {
  return join(dirname(settingsPath), "listen-secret");
}

/** Reads the secret at that path, or creates it. @throws Failure when the file holds no secret; SystemError */
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
