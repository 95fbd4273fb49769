/** When any of a caller's tokens was last used. */
import type { Token } from "@porchlight/shared/api";

/** @returns undefined when none ever was */
export function latestUse(tokens: readonly Pick<Token, "lastUsedAt">[]): string | undefined {
  // The service's times are in the order of their text.
  return tokens
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .at(-1);
}
