/** Summarizes deliveries in counts that add up to the total. */
import type { WebhookDelivery } from "@porchlight/shared/api";

/** @param all the displayed deliveries @param hasMore true when there are older, uncounted deliveries */
export function deliverySummary(
  all: readonly Pick<WebhookDelivery, "state" | "attempt">[],
  hasMore: boolean,
): string | undefined {
  if (all.length === 0) return undefined;
  const count = (of: (delivery: Pick<WebhookDelivery, "state" | "attempt">) => boolean) => all.filter(of).length;
  const parts = [
    [count(({ state }) => state === "succeeded"), "succeeded"],
    [count(({ state }) => state === "failed"), "failed"],
    [count(({ state, attempt }) => state === "pending" && attempt > 0), "retrying"],
    [count(({ state, attempt }) => state === "pending" && attempt === 0), "being sent"],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${hasMore ? `Newest ${all.length}` : `${all.length} in all`}: ${told.join(", ")}.`;
}
