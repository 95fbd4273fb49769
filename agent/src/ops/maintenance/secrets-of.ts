/** The values that a hub keeps secret, as far as they can be read now: what a log that leaves the hub must not hold. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@porchlight/shared/settings";
import { type AgentSettings, packageSettings, tokenFile } from "../../config/index.ts";
import type { AgentStatus } from "../status/status-schema.ts";

/** Names of settings of driver packages whose values are secret. */
const SECRET_SETTING = /token|password|passphrase|secret|credential|key|psk|pin|code/i;

export function secretsOf(settings: AgentSettings, { pairing }: Pick<AgentStatus, "pairing">): Set<string> {
  const found = new Set<string>();
  for (const text of [readToken(settings), ...identityLines(settings.data)]) if (text) found.add(text);
  if (pairing?.state === "waiting") found.add(pairing.userCode);
  gatherSecrets(settings, found);
  for (const { own } of packageSettings(settings.drivers).values()) gatherNamed(own, false, found);
  return found;
}

/** Every {@link Secret}. */
function gatherSecrets(value: unknown, found: Set<string>): void {
  if (value instanceof Secret) found.add(value.reveal());
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) gatherSecrets(inner, found);
}

/** What a package has for secret, its name alone can tell. */
function gatherNamed(value: unknown, isSecret: boolean, found: Set<string>): void {
  if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) gatherNamed(inner, isSecret || SECRET_SETTING.test(name), found);
  else if (isSecret && (typeof value === "string" || typeof value === "number")) found.add(String(value));
}

function readToken(settings: AgentSettings): string | undefined {
  try {
    return tokenFile(settings).read();
  } catch {
    // `doctor` says that it cannot be read.
    return undefined;
  }
}

/** The lines of the key's body. */
function identityLines(dataDir: string): string[] {
  try {
    const lines = readFileSync(join(dataDir, "identity.key"), "utf8").split("\n");
    return lines.map((line) => line.trim()).filter((line) => line.length >= 16 && !line.startsWith("-----"));
  } catch {
    return [];
  }
}
