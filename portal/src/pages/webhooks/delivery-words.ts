/** Deliveries as text: how many succeeded or failed, and the headers and body of one attempt. Pure. */
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
  const named = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return `${hasMore ? `Newest ${all.length}` : `${all.length} in all`}: ${named.join(", ")}.`;
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Formats one side of an attempt: headers, an empty line, and the body; JSON is indented. */
export function messageText({ headers, body }: Message): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${body === "" ? "(no body)" : laidOut(body)}`;
}

/** An incomplete or non-JSON body stays unchanged. */
function laidOut(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
