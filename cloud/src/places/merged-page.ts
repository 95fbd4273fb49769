/** One page in order of ID from several lists that are each in that order: an account may have several ecosystems, a user several homes. */

/** @param fetch up to `limit` rows of one part, in that order @param limit of the whole page */
export async function mergedPage<P, R extends { readonly id: string }>(
  parts: readonly P[],
  limit: number,
  fetch: (part: P) => Promise<readonly R[]>,
  order: "oldest" | "newest" = "oldest",
): Promise<readonly R[]> {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return fetch(only);
  const rows: R[] = [];
  for (const part of parts) rows.push(...(await fetch(part)));
  const sorted = rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  return (order === "newest" ? sorted.reverse() : sorted).slice(0, limit);
}
