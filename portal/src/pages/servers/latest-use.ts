/** The last use of any of a caller's tokens. */
import type { Token } from "@porchlight/shared/api";

/** @returns undefined when no token was ever used */
export function latestUse(tokens: readonly Pick<Token, "lastUsedAt">[]): string | undefined {
  // Service times sort as text.
  return tokens
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .at(-1);
}
