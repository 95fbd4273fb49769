/** Counts the events that a replay of a range sends: in slices, so that the length of the log does not matter. */
import { wants } from "@porchlight/shared/events";
import type { LoggedEvent } from "../events/index.ts";
import { type Sql, statement } from "../store/index.ts";

/** Events counted by one query. */
const SLICE = 5_000;

type Eco = { eco: string };
const countOf = (name: string, isConfined: boolean) =>
  statement<Eco & { env: string | null; from: number; to: number }>(name)((db, p) => {
    const all = db
      .selectFrom("events")
      .select((of) => ["type", of.fn.countAll<number>().as("count")])
      .where("ecosystem_id", "=", p.eco)
      .where("sequence", ">=", p.from)
      .where("sequence", "<=", p.to)
      .groupBy("type");
    return isConfined ? all.where("environment_id", "=", p.env) : all;
  });
const countInEcosystem = countOf("count_events_of_ecosystem", false);
const countInEnvironment = countOf("count_events_of_environment", true);

/** Number of events that a webhook wants within a range, both ends included. */
export async function countWanted(sql: Sql, eco: string, wanted: Wanted, first: number, last: number): Promise<number> {
  const { environmentId: env } = wanted;
  let count = 0;
  for (let from = first; from <= last; from += SLICE) {
    const to = Math.min(last, from + SLICE - 1);
    const counted = await sql.all(env === null ? countInEcosystem : countInEnvironment, { eco, env, from, to });
    for (const one of counted)
      if (one.type !== "webhook.test" && wants(wanted.patterns, one.type)) count += Number(one.count);
  }
  return count;
}

/** A webhook's filter for the events of the log. */
export interface Wanted {
  readonly patterns: readonly string[];
  /** Restricts the events to this environment; null: the whole ecosystem. */
  readonly environmentId: string | null;
}

/** A test is sent only to the tested webhook, and never from the log. */
export function isWanted({ patterns, environmentId }: Wanted, event: LoggedEvent): boolean {
  if (event.type === "webhook.test") return false;
  if (environmentId !== null && event.environmentId !== environmentId) return false;
  return wants(patterns, event.type);
}

/** Whether the event may end the webhook because it deletes the webhook's environment. */
export function mayEnd({ environmentId }: Wanted, event: LoggedEvent): boolean {
  return environmentId !== null && event.environmentId === environmentId && event.type === "environment.deleted";
}

/**
 * The key of an event; events with the same key are sent one after another: those of a device, of a hub, of any other
 * object.
 * @param data of the event, as JSON
 */
export function orderKey(data: string): string {
  // The service wrote the data with the event.
  const about = JSON.parse(data) as Readonly<Record<string, unknown>>;
  const item = about.item as { readonly deviceId?: unknown } | undefined;
  return String(item?.deviceId ?? about.deviceId ?? about.id ?? "");
}
