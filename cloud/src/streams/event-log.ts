/**
 * Pages of the event log: the stored events, forwards or backwards, filtered by the caller's access.
 *
 * Invariants: a page has every matching event of its range, and the next page begins where that ends; one request scans
 * a bounded number of events, even if matches are rare; the start of the log shows which events retention has deleted.
 */

import { rowsOfPart } from "@porchlight/shared/rest";
import type { Caller } from "../access/index.ts";
import { type LoggedEvent, LogReader, searchLog, sequenceAt } from "../events/index.ts";
import type { Store } from "../store/index.ts";
import { includesEvent, type StreamScope } from "./snapshot.ts";

/** The position of a walk, and the sequences that bound it. */
export interface LogPlace {
  /** The last scanned sequence; undefined: none. */
  readonly at: number | undefined;
  readonly first: number;
  /** Undefined: up to the end of the log. */
  readonly last: number | undefined;
}

export interface LogAsked extends StreamScope {
  readonly deviceId: string | undefined;
  readonly order: "oldest" | "newest";
  /** Maximum events of a page. */
  readonly size: number;
  /** Maximum bytes of a page; its first event may exceed it. */
  readonly bytes: number;
  /** Resolves when the next slice can be read. */
  readonly turn: () => Promise<void>;
}

/** Bounds of a walk, as callers specify them. */
export interface LogBounds {
  /** Wall clock, ms: at that time or later. */
  readonly since: number | undefined;
  /** Wall clock, ms: before that time. */
  readonly until: number | undefined;
  /** Sequences, exclusive. */
  readonly after: number | undefined;
  readonly before: number | undefined;
}

export interface LogPage {
  /** JSON of each event, in UTF-8: large strings that live while a page is built would be copied by each minor garbage collection. */
  readonly events: readonly { readonly sequence: number; readonly json: Buffer }[];
  /** The page has every matching event of these sequences; `last` is `first` - 1 when there are none. */
  readonly range: { readonly first: number; readonly last: number };
  readonly log: { readonly oldest: number; readonly newest: number };
  /** Where the next page begins; undefined after the last. */
  readonly next: LogPlace | undefined;
}

const LIMITS = {
  /** Sequences scanned by one query. */
  slice: 5_000,
  /** Sequences scanned by one request. */
  most: 50_000,
  /** Maximum environments in a query; for a user with more, the environment is checked afterwards. */
  environments: 500,
};

export class EventLog {
  readonly #store: Store;
  readonly #reader: LogReader;
  readonly #limits: typeof LIMITS;

  /** @param limits smaller ones, for tests */
  constructor(store: Store, limits = LIMITS) {
    this.#store = store;
    this.#reader = new LogReader(store);
    this.#limits = limits;
  }

  /** The start of a walk. @throws "Service Unavailable" */
  async begin(ecosystemId: string, { since, until, after = 0, before }: LogBounds): Promise<LogPlace> {
    const { sql } = this.#store.of(ecosystemId);
    const from = since === undefined ? 1 : await sequenceAt(sql, ecosystemId, since);
    const to = until === undefined ? undefined : (await sequenceAt(sql, ecosystemId, until)) - 1;
    const ends = [to, before === undefined ? undefined : before - 1].filter((end) => end !== undefined);
    return { at: undefined, first: Math.max(from, after + 1), last: ends.length > 0 ? Math.min(...ends) : undefined };
  }

  /** @throws "Service Unavailable" */
  async page(caller: Caller, asked: LogAsked, place: LogPlace): Promise<LogPage> {
    const { order, size, ecosystemId, turn } = asked;
    const isNewest = order === "newest";
    const before = await this.#reader.range(ecosystemId);
    const { at } = place;
    let first = Math.max(!isNewest && at !== undefined ? at + 1 : place.first, before.oldest);
    let last = Math.min(isNewest && at !== undefined ? at - 1 : (place.last ?? before.newest), before.newest);
    const whole = { first, last };
    const events: LogPage["events"][number][] = [];
    let bytes = 0;
    /** Of all rows, also of those that the caller does not see: a caller that sees few of them needs no more queries. */
    const read = { count: 0, bytes: 0 };
    for (let looked = 0; first <= last && events.length < size && bytes < asked.bytes && looked < this.#limits.most; ) {
      const length = Math.min(this.#limits.slice, this.#limits.most - looked);
      const slice = {
        first: isNewest ? Math.max(first, last - length + 1) : first,
        last: isNewest ? last : Math.min(last, first + length - 1),
      };
      const limit = Math.min(size - events.length, rowsOfPart(asked.bytes - bytes, read));
      const found = await searchLog(this.#store.of(ecosystemId).sql, {
        ...{ ecosystemId, ...slice, order, limit },
        ...{ types: asked.types, deviceId: asked.deviceId, environmentIds: this.#environmentsOf(caller, asked) },
      });
      // A query that reached its limit has scanned up to its last event.
      let end = found.length === limit ? found.at(-1)?.sequence : undefined;
      for (const event of found) {
        read.count += 1;
        read.bytes += event.text.length;
        if (!includesEvent(asked, caller, event) || !isAbout(asked.deviceId, event)) continue;
        const json = Buffer.from(event.text);
        bytes += json.length;
        if (bytes > asked.bytes && events.length > 0) {
          // The page has no room for this event.
          end = event.sequence + (isNewest ? 1 : -1);
          break;
        }
        events.push({ sequence: event.sequence, json });
      }
      end ??= isNewest ? slice.first : slice.last;
      looked += isNewest ? slice.last - end + 1 : end - slice.first + 1;
      if (isNewest) last = end - 1;
      else first = end + 1;
      await turn();
    }
    const log = await this.#reader.range(ecosystemId);
    return {
      // Retention may have deleted a part of the result meanwhile: those events are left out and reported as deleted.
      events: events.filter(({ sequence }) => sequence >= log.oldest),
      range: isNewest ? rangeOf(last + 1, whole.last, log.oldest) : rangeOf(whole.first, first - 1, log.oldest),
      log,
      next: first > last ? undefined : { ...place, at: isNewest ? last + 1 : first - 1 },
    };
  }

  #environmentsOf(caller: Caller, { environmentId }: LogAsked): readonly string[] | undefined {
    if (environmentId !== undefined) return [environmentId];
    if (caller.kind !== "user" || caller.environmentIds.size > this.#limits.environments) return undefined;
    return [...caller.environmentIds];
  }
}

function rangeOf(first: number, last: number, oldest: number): LogPage["range"] {
  const begin = Math.max(first, oldest);
  return begin > last ? { first: Math.max(last, 0) + 1, last: Math.max(last, 0) } : { first: begin, last };
}

/** Whether an event concerns the device: one of its values, its commands, or the device itself. */
function isAbout(deviceId: string | undefined, { type, data }: LoggedEvent): boolean {
  if (deviceId === undefined) return true;
  // The service wrote the data with the event.
  const about = JSON.parse(data) as Readonly<Record<string, unknown>>;
  if (type.startsWith("device.")) return about.id === deviceId;
  if (type.startsWith("command.")) return about.deviceId === deviceId;
  return (
    type.startsWith("property.") && (about.item as { readonly deviceId?: unknown } | undefined)?.deviceId === deviceId
  );
}
