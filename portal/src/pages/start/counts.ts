/** Counts states, errors and versions in fetched data. Pure. */
import type { LoggedRequest, Token, Webhook } from "@porchlight/shared/api";
import { versionsOf } from "../../kit/text/versions.ts";

type State = "online" | "offline" | "unknown";

/** Counts online states. A virtual device has no connection and is always online. */
export function countStates(things: readonly { readonly connection?: { readonly state: State } | undefined }[]) {
  const counts = { online: 0, offline: 0, unknown: 0 };
  for (const { connection } of things) counts[connection?.state ?? "online"]++;
  return counts;
}

export type Health = "well" | "failing" | "disabled" | "new";

/** The health of a webhook, by its newest delivery. */
export function healthOf({ disabled, lastDelivery }: Pick<Webhook, "disabled" | "lastDelivery">): Health {
  if (disabled) return "disabled";
  if (!lastDelivery) return "new";
  const isFailing = lastDelivery.state === "failed" || (lastDelivery.state === "pending" && lastDelivery.attempt > 0);
  return isFailing ? "failing" : "well";
}

export interface Errors {
  readonly name: string;
  readonly status: number;
  readonly count: number;
  /** ID of the newest request with the error. */
  readonly requestId: string;
}

/** Errors since a time, the most frequent first. @param requests newest first @param since in the service's format */
export function errorsSince(requests: readonly LoggedRequest[], since: string): readonly Errors[] {
  const byName = new Map<string, Errors>();
  for (const { at, status, problem, id } of requests) {
    if (status < 400 || at < since) continue;
    const name = problem ?? `Status ${status}`;
    const known = byName.get(name);
    byName.set(name, known ? { ...known, count: known.count + 1 } : { name, status, count: 1, requestId: id });
  }
  return [...byName.values()].toSorted((one, other) => other.count - one.count);
}

/** Whether the stored or fetched requests end before `since`, so that the count may be too low. */
export function isCutOff(requests: readonly LoggedRequest[], most: number, since: string): boolean {
  const oldest = requests.at(-1);
  return requests.length >= most && oldest !== undefined && oldest.at >= since;
}

/** Formats milliseconds since 1970 as a service time. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** Number of tokens per requested API version, the most requested first. Unused tokens request none. */
export function versionCounts(tokens: readonly Token[]): readonly (readonly [version: string, tokens: number])[] {
  const counts = new Map<string, number>();
  for (const token of tokens)
    for (const version of versionsOf(token)) counts.set(version, (counts.get(version) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}
