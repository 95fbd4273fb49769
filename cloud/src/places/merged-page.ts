/** One page in order of ID from several lists that are each in that order: an account may have several ecosystems, a user several homes. */
import { nextTurn } from "@porchlight/shared/kernel";

/** @param fetch up to `limit` rows of one part, in that order @param limit of the whole page */
export async function mergedPage<P, R extends { readonly id: string }>(
  parts: readonly P[],
  limit: number,
  fetch: (part: P) => Promise<readonly R[]>,
  order: "oldest" | "newest" = "oldest",
): Promise<readonly R[]> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return fetch(only);
  const first = order === "newest" ? 1 : -1;
  let rows: R[] = [];
  for (const part of parts) {
    const more = await fetch(part);
    if (more.length === 0) continue;
    // At once: of many parts only one page is ever in memory.
    rows = [...rows, ...more].sort((a, b) => (a.id < b.id ? first : -first)).slice(0, limit);
    await nextTurn();
  }
  return rows;
}
