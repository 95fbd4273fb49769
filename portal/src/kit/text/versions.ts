/** Summarizes the API versions that a token requests. */
import type { Token } from "@porchlight/shared/api";

/** The requested versions without duplicates, most recent use first: "v0"; "none named" for paths and headers without a version. */
export function versionsOf({ versions = [] }: Pick<Token, "versions">): readonly string[] {
  const named = versions.filter(({ version }) => version !== undefined);
  const listed = named.length > 0 ? named : versions;
  const newestFirst = listed.toSorted((one, other) => other.lastSeenAt.localeCompare(one.lastSeenAt));
  return [...new Set(newestFirst.map(({ version }) => version ?? "none named"))];
}
