/** Which events of the log go to a webhook, and in which order they must stay. */
import { wants } from "@porchlight/shared/events";
import type { LoggedEvent } from "../../events/index.ts";

export interface Wanted {
  readonly patterns: readonly string[];
  /** Only what is of this environment; null: of the whole ecosystem. */
  readonly environmentId: string | null;
}

/** A test goes only to the webhook that it tests, and that is not by the log. */
export function isWanted({ patterns, environmentId }: Wanted, event: LoggedEvent): boolean {
  if (event.type === "webhook.test") return false;
  if (environmentId !== null && event.environmentId !== environmentId) return false;
  return wants(patterns, event.type);
}

/** Whether a webhook that stands in an environment has gone with it. */
export function mayEnd({ environmentId }: Wanted, event: LoggedEvent): boolean {
  return environmentId !== null && event.environmentId === environmentId && event.type === "environment.deleted";
}

/**
 * Events of one key are sent one after another: those of a device, of a hub, of any other object.
 * @param data of the event, as JSON
 */
export function orderKey(data: string): string {
  // Written with the event.
  const about = JSON.parse(data) as Readonly<Record<string, unknown>>;
  const item = about.item as { readonly deviceId?: unknown } | undefined;
  return String(item?.deviceId ?? about.deviceId ?? about.id ?? "");
}
