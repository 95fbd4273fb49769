/** Makes IDs for requests that bring none. */
import type { Random } from "@porchlight/shared/kernel";

/** Counts up after a random prefix that each process makes. */
export function requestIds(random: Random): () => string {
  const word = Buffer.from(random.bytes(6)).toString("hex");
  let count = 0;
  return () => `${word}-${(++count).toString(36)}`;
}
