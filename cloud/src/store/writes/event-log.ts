/** The event log of an ecosystem within a transaction: the locked counter row, and the numbering of events. */
import { sql } from "kysely";
import { bulk } from "../sql/bulk.ts";
import { statement } from "../sql/statement.ts";
import type { NewEvent, Transaction } from "./job.ts";

/** Locks the ecosystem's row until the commit, and returns the end of its log. */
export const takeCounter = statement<{ eco: string }>("take_counter")((db, p) =>
  db
    .insertInto("counters")
    .values({ ecosystem_id: p.eco, sequence: 0, version: 1 })
    .onConflict((conflict) =>
      conflict.column("ecosystem_id").doUpdateSet({ version: sql<number>`coalesce(counters.version, 0) + 1` }),
    )
    .returning(["sequence", "log_bytes", sql<number>`version`.as("version")]),
);
/** Locks the rows of these ecosystems, comma-separated, that no other transaction holds; it does not wait. PostgreSQL only. */
export const takeFreeCounters = statement<{ ecos: string }>("take_free_counters")((db, p) => ({
  compile: () =>
    sql<CounterNow & { eco: string }>`with free as (
        select ecosystem_id from counters where ecosystem_id = any((select string_to_array(${p.ecos}, ','))::text[])
        for no key update skip locked
      )
      update counters set version = coalesce(counters.version, 0) + 1 from free
      where counters.ecosystem_id = free.ecosystem_id
      returning counters.ecosystem_id as eco, counters.sequence, counters.log_bytes, counters.version`.compile(db),
}));
type CounterNow = { sequence: number; log_bytes: number | null; version: number };
type Counter = { eco: string; sequence: number; bytes: number };
/** Stores the ends of logs. */
export const setCounters = bulk(
  statement<Counter>("set_counter")((db, p) =>
    db.updateTable("counters").set({ sequence: p.sequence, log_bytes: p.bytes }).where("ecosystem_id", "=", p.eco),
  ),
  { eco: "text", sequence: "bigint", bytes: "bigint" },
);
type NewEventRow = {
  eco: string;
  sequence: number;
  id: string;
  type: string;
  env: string | null;
  data: string;
  at: number;
  offset: number;
};
/** Stores numbered events. */
export const insertEvents = bulk(
  statement<NewEventRow>("insert_event")((db, p) =>
    db.insertInto("events").values({
      ecosystem_id: p.eco,
      sequence: p.sequence,
      id: p.id,
      type: p.type,
      environment_id: p.env,
      data: p.data,
      created_at: p.at,
      log_offset: p.offset,
    }),
  ),
  {
    ...{ eco: "text", sequence: "bigint", id: "text", type: "text" },
    ...{ env: "text", data: "text", at: "bigint", offset: "bigint" },
  },
);

/** The end of an ecosystem's event log. */
export interface LogEnd {
  /** Sequence of the newest event. */
  readonly sequence: number;
  /** Total bytes of its events. */
  readonly bytes: number;
}

export const NO_LOG: LogEnd = { sequence: 0, bytes: 0 };
/** Size of an event besides its data, bytes: its other columns and its index entry. */
const ROW_BYTES = 200;
/** A notification is sent each time a log has grown by this many bytes. */
const STEP_BYTES = 16 * 1024 * 1024;

/** The rows of new events, and the end of the log behind them. */
export function appended(
  eco: string,
  { ids, now }: Pick<Transaction, "ids" | "now">,
  end: LogEnd,
  events: readonly NewEvent[],
): { readonly rows: readonly NewEventRow[]; readonly end: LogEnd; readonly hasGrown: boolean } {
  let { sequence, bytes } = end;
  const rows = events.map((event) => {
    const { id, type, environmentId } = event;
    const data = event.text === undefined ? JSON.stringify(event.data) : event.text;
    const offset = bytes;
    bytes += Buffer.byteLength(data) + ROW_BYTES;
    const env = environmentId ?? null;
    return { eco, sequence: ++sequence, id: id ?? ids.next("evt"), type, env, data, at: now(), offset };
  });
  const hasGrown = Math.floor(bytes / STEP_BYTES) > Math.floor(end.bytes / STEP_BYTES);
  return { rows, end: { sequence, bytes }, hasGrown };
}
