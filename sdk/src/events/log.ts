/** The event log: the events that are kept, in pages, forwards or backwards. */
import type { EventPage } from "@porchlight/shared/api";
import { Collection, type Page, type PageOptions } from "../transport/collection.ts";
import type { Transport } from "../transport/transport.ts";
import type { PorchlightEvent } from "./event.ts";

export interface EventLogFilter {
  /** Of an account with several ecosystems; an environment says it too. */
  readonly ecosystemId?: string | undefined;
  readonly environmentId?: string | undefined;
  /** Values of this device, its commands, and itself. */
  readonly deviceId?: string | undefined;
  /** Types, or `prefix.*`; all when left out. */
  readonly types?: readonly string[] | undefined;
  /** At that time or later: `YYYY-MM-DD HH:MM:SSZ`. */
  readonly since?: string | undefined;
  /** Before that time: `YYYY-MM-DD HH:MM:SSZ`. */
  readonly until?: string | undefined;
  /** Only sequences above this one. */
  readonly after?: number | undefined;
  /** Only sequences below this one. */
  readonly before?: number | undefined;
  /** Which come first; "oldest" when left out. */
  readonly order?: "oldest" | "newest" | undefined;
}

/**
 * A page: every matching event of the sequences in `range`, and in `log` which sequences are kept. A page may have few items, or none,
 * although there is another page: the service looks through a bounded number of events at once.
 */
export interface EventLogPage extends Page<PorchlightEvent>, Pick<EventPage, "range" | "log"> {}

export function eventLog(
  transport: Transport,
  { types, ...filter }: EventLogFilter,
  options?: PageOptions,
): Collection<PorchlightEvent, EventLogPage> {
  return new Collection(transport, "/api/event-log", { ...filter, types: types?.join(",") }, options);
}
