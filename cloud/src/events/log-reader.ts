/**
 * Reads the event log of an ecosystem after a sequence, in batches, outside any transaction. Numbers are given under a lock
 * that is held until the commit, so what is read is whole up to its last number: nothing smaller can still appear.
 */
import { eventText, type LogRange } from "@porchlight/shared/rest";
import { type EventRow, one, type Sql, type Store, statement } from "../store/index.ts";

/** An event as it was stored, and as consumers are told it. */
export interface LoggedEvent {
  readonly ecosystemId: string;
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  /** Undefined for what stands in the ecosystem. */
  readonly environmentId: string | undefined;
  /** Wall-clock ms. */
  readonly createdAt: number;
  /** Its `data`, as JSON. */
  readonly data: string;
  /** The whole event, as JSON. */
  readonly text: string;
}

export type LogSlice =
  /** Those that come next, without a gap; none when there is nothing newer. */
  | {
      readonly kind: "events";
      readonly events: readonly LoggedEvent[];
      /** Whether there may be more than were asked for at once. */
      readonly more: boolean;
    }
  /** What comes next is no longer kept. @see after where what is kept begins */
  | { readonly kind: "lost"; readonly after: number };

/** Events read at once, when the caller does not say how many. */
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
    // They have come since, or they have gone all together.
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
    // The oldest first: what goes between the two looks makes the range too large at its beginning only, which a read tells.
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

/** A row of the log as it is told. */
export function loggedEvent(row: EventRow): LoggedEvent {
  const { ecosystem_id: ecosystemId, environment_id, sequence, id, type, data, created_at: createdAt } = row;
  const head = { ecosystemId, sequence, id, type, environmentId: environment_id ?? undefined, createdAt };
  return { ...head, data, text: eventText(head, data) };
}

/** Matching events of a short range of the log. The database leaves out most of what is not wanted; the caller decides the rest. */
export interface LogSearch {
  readonly ecosystemId: string;
  /** Sequences, both included. */
  readonly first: number;
  readonly last: number;
  readonly order: "oldest" | "newest";
  /** Types, `prefix.*` or `*`. */
  readonly types: readonly string[];
  /** Only of these environments; undefined: of any, and of none. */
  readonly environmentIds: readonly string[] | undefined;
  /** Only events whose data names this device somewhere. */
  readonly deviceId: string | undefined;
  readonly limit: number;
}

/** In the order that was asked for. @throws "Service Unavailable" */
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
