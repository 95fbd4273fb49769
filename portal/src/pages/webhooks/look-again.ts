/** When to ask again what became of deliveries: soon while something goes on, when the next attempt is due, else now and then. */
import type { WebhookDelivery } from "@porchlight/shared/api";

/** While something goes on, ms. */
const SOON = 1000;
/** After something has happened that is sent, or that somebody asked for, something goes on for so long, ms. */
const BUSY = 6000;
/** An attempt may last 15 s, ms. */
const ATTEMPT = 15_000;
/** When nothing goes on, ms. */
const SELDOM = 30_000;

/**
 * @param newest those that are shown @param now wall clock, ms @param lastStir when something last happened
 * @returns ms from now
 */
export function lookAgain(
  newest: readonly Pick<WebhookDelivery, "state" | "nextAttemptAt">[],
  now: number,
  lastStir: number,
): number {
  if (now - lastStir < BUSY) return SOON;
  const due = newest.flatMap(({ state, nextAttemptAt }) =>
    state === "pending" && nextAttemptAt !== undefined ? [Date.parse(nextAttemptAt.replace(" ", "T")) - now] : [],
  );
  const next = Math.min(...due.filter((wait) => wait > -ATTEMPT));
  return Math.min(SELDOM, Math.max(SOON, next));
}
