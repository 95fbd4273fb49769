/**
 * Reads the event log of an ecosystem after a sequence, in batches, outside any transaction. Sequences are assigned under a lock
 * that is held until the commit, so a batch is complete up to its last sequence: no smaller one can still appear.
 */
import { eventText, type LogRange } from "@porchlight/shared/rest";
import { type EventRow, one, type Sql, type Store, statement } from "../store/index.ts";

/** A stored event, with the text that consumers receive. */
export interface LoggedEvent {
  readonly ecosystemId: string;
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  /** Undefined for an object directly in the ecosystem. */
  readonly environmentId: string | undefined;
  /** Wall-clock ms. */
  readonly createdAt: number;
  /** Its `data`, as JSON. */
  readonly data: string;
  /** The whole event, as JSON. */
  readonly text: string;
}

type LogSlice =
  /** The next events, without a gap; none when there is nothing newer. */
  | {
      readonly kind: "events";
      readonly events: readonly LoggedEvent[];
      /** Whether there may be more than the limit. */
      readonly more: boolean;
    }
  /** The next events have been deleted. `after` precedes the oldest event that is kept. */
  | { readonly kind: "lost"; readonly after: number };

/** Default number of events read at once. */
const BATCH = 100;

type After = { eco: string; after: number; limit: number };
const selectAfter = statement<After>("events_after")((db, p) =>
  db
    .selectFrom("events")
    .selectAll()
    .where("ecosystem_id", "=", p.eco)
    .where("sequence", ">", p.after)
    .orderBy("sequence")
    .limit(p.limit),
);
const selectNewest = statement<{ eco: string }>("newest_event")((db, p) =>
  db.selectFrom("counters").select("sequence").where("ecosystem_id", "=", p.eco),
);
const selectOldest = statement<{ eco: string }>("oldest_event")((db, p) =>
  db.selectFrom("events").select("sequence").where("ecosystem_id", "=", p.eco).orderBy("sequence").limit(1),
);

export class LogReader {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param after a sequence; 0 is before the first @throws "Service Unavailable" */
  async read(ecosystemId: string, after: number, limit = BATCH): Promise<LogSlice> {
    const first = await this.#rows(ecosystemId, after, limit);
    if (first.length > 0) return slice(first, after, limit);
    const newest = await this.newest(ecosystemId);
    if (newest <= after) return { kind: "events", events: [], more: false };
    // Events have been added since, or all of them were deleted.
    const second = await this.#rows(ecosystemId, after, limit);
    return second.length > 0 ? slice(second, after, limit) : { kind: "lost", after: newest };
  }

  /** Sequence of the newest event, 0 before the first. @throws "Service Unavailable" */
  async newest(ecosystemId: string): Promise<number> {
    const counter = await one(this.#store.of(ecosystemId).sql.all(selectNewest, { eco: ecosystemId }));
    return counter?.sequence ?? 0;
  }

  /** @throws "Service Unavailable" */
  async range(ecosystemId: string): Promise<LogRange> {
    // The oldest first: a deletion between the two queries makes only the range's beginning too early, and a read reports that.
    const oldest = await one(this.#store.of(ecosystemId).sql.all(selectOldest, { eco: ecosystemId }));
    const newest = await this.newest(ecosystemId);
    return { oldest: oldest?.sequence ?? newest + 1, newest };
  }

  #rows(eco: string, after: number, limit: number): Promise<EventRow[]> {
    return this.#store.of(eco).sql.all(selectAfter, { eco, after, limit });
  }
}

function slice(rows: readonly EventRow[], after: number, limit: number): LogSlice {
  const oldest = rows[0]?.sequence ?? after + 1;
  if (oldest > after + 1) return { kind: "lost", after: oldest - 1 };
  return { kind: "events", events: rows.map(loggedEvent), more: rows.length === limit };
}

/** Converts a row of the log to an event. */
export function loggedEvent(row: EventRow): LoggedEvent {
  const { ecosystem_id: ecosystemId, environment_id, sequence, id, type, data, created_at: createdAt } = row;
  const head = { ecosystemId, sequence, id, type, environmentId: environment_id ?? undefined, createdAt };
  return { ...head, data, text: eventText(head, data) };
}

/** A search of a short range of the log. The database filters out most non-matching events; the caller decides the rest. */
export interface LogSearch {
  readonly ecosystemId: string;
  /** First and last sequence, both inclusive. */
  readonly first: number;
  readonly last: number;
  readonly order: "oldest" | "newest";
  /** Types of events: full names, `prefix.*` or `*`. */
  readonly types: readonly string[];
  /** Only events of these environments; undefined: events of any and of none. */
  readonly environmentIds: readonly string[] | undefined;
  /** Only events whose data contains this device's ID. */
  readonly deviceId: string | undefined;
  readonly limit: number;
}

/** Searches the log, in the requested order. @throws "Service Unavailable" */
export async function searchLog(sql: Sql, asked: LogSearch): Promise<LoggedEvent[]> {
  const { ecosystemId, first, last, order, types, environmentIds, deviceId, limit } = asked;
  let query = sql.build
    .selectFrom("events")
    .selectAll()
    .where("ecosystem_id", "=", ecosystemId)
    .where("sequence", ">=", first)
    .where("sequence", "<=", last)
    .orderBy("sequence", order === "newest" ? "desc" : "asc")
    .limit(limit);
  if (!types.includes("*"))
    query = query.where((of) =>
      of.or(
        types.map((type) =>
          type.endsWith(".*") ? of("type", "like", `${type.slice(0, -1)}%`) : of("type", "=", type),
        ),
      ),
    );
  if (environmentIds) query = query.where("environment_id", "in", environmentIds);
  if (deviceId !== undefined) query = query.where("data", "like", `%${deviceId}%`);
  return (await sql.query(query)).map(loggedEvent);
}

type Eco = { eco: string };
const firstFrom = statement<Eco & { from: number }>("first_event_from")((db, p) =>
  db
    .selectFrom("events")
    .select(["sequence", "created_at"])
    .where("ecosystem_id", "=", p.eco)
    .where("sequence", ">=", p.from)
    .orderBy("sequence")
    .limit(1),
);
const lastOf = statement<Eco>("last_event_of_log")((db, p) =>
  db.selectFrom("events").select("sequence").where("ecosystem_id", "=", p.eco).orderBy("sequence", "desc").limit(1),
);

/**
 * Sequence of the first event at that time or later, one past the last when there is none: found by bisection over the sequences, so that
 * no index over times is needed.
 * @param time wall clock, ms
 */
export async function sequenceAt(sql: Sql, eco: string, time: number): Promise<number> {
  const oldest = await one(sql.all(firstFrom, { eco, from: 0 }));
  const newest = await one(sql.all(lastOf, { eco }));
  if (!oldest || !newest) return 1;
  let [low, high] = [oldest.sequence, newest.sequence + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const event = await one(sql.all(firstFrom, { eco, from: middle }));
    if (event && event.created_at < time) low = event.sequence + 1;
    else high = middle;
  }
  return low;
}
