/** The event log: the stored events, in pages, forwards or backwards. */
import type { EventPage } from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "./collection.ts";
import type { Transport } from "./transport.ts";
import type { PorchlightEvent } from "./event.ts";

export interface EventLogFilter {
  /** Required for an account with several ecosystems, unless an environment is given. */
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
  /** Events about this device, its values and its commands. */
  readonly deviceId?: string | undefined;
  /** Types, or `prefix.*`; all when omitted. */
  readonly types?: readonly string[] | undefined;
  /** At that time or later: `YYYY-MM-DD HH:MM:SSZ`. */
  readonly since?: string | undefined;
  /** Before that time: `YYYY-MM-DD HH:MM:SSZ`. */
  readonly until?: string | undefined;
  /** Only sequences above this one. */
  readonly after?: number | undefined;
  /** Only sequences below this one. */
  readonly before?: number | undefined;
  /** Order of the events; "oldest" first when omitted. */
  readonly order?: "oldest" | "newest" | undefined;
}

/**
 * A page: every matching event of the sequences in `range`; `log` states which sequences are stored. A page may have few items, or
 * none, although another page follows: the service examines a bounded number of events at once.
 */
export interface EventLogPage extends Page<PorchlightEvent>, Pick<EventPage, "range" | "log"> {}

export function eventLog(
  transport: Transport,
  { types, ...filter }: EventLogFilter,
  options?: PageOptions,
): Collection<PorchlightEvent, EventLogPage> {
  return new Collection(transport, "/api/event-log", { ...filter, types: types?.join(",") }, options);
}
