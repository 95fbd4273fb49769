/** Which versions of the API a token asks for, in few words. */
import type { Token } from "@porchlight/shared/api";

/** The versions that were named, newest use first, each once: "v0"; "none named" for paths and headers without one. */
export function versionsOf({ versions = [] }: Pick<Token, "versions">): readonly string[] {
  const named = versions.filter(({ version }) => version !== undefined);
  const told = named.length > 0 ? named : versions;
  const newestFirst = told.toSorted((one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt));
  return [...new Set(newestFirst.map(({ version }) => version ?? "none named"))];
}
