/**
 * Times in which an ecosystem is not recorded: because its owner turned history off, or because events were deleted before they were
 * recorded. Such a time is an open gap of the ecosystem; when recording goes on, the values that stand then are recorded first.
 */
import type { Store, Transaction } from "../../store/index.ts";
import { type Gap, gapsOf, writeGap } from "../rows/gap-rows.ts";
import { type RecordDeps, recordFacts } from "./record-facts.ts";
import { standingFacts } from "./standing.ts";

/** Devices of one job. */
const AT_ONCE = 100;

/** How it goes on with the next event. */
export interface Pause {
  /** To be written with it. */
  readonly gap: Gap | undefined;
  readonly isPaused: boolean;
}

/**
 * @param enabled whether the ecosystem is to be recorded
 * @param at when the next event was stored, wall clock, ms
 * @throws "Service Unavailable"
 */
export async function goOn(store: Store, deps: RecordDeps, enabled: boolean, at: number): Promise<Pause> {
  const { eco } = deps;
  const open = (await gapsOf(store.of(eco).sql, eco, [eco], at)).find(({ until }) => until === null);
  if (!enabled) return { gap: open ? undefined : pauseSince(eco, at), isPaused: true };
  if (!open) return { gap: undefined, isPaused: false };
  await recordStanding(store, deps, at);
  return { gap: { ...open, until: Math.max(at, open.since) }, isPaused: false };
}

/** Some events were deleted before they were recorded. */
export function writePause(tx: Transaction, eco: string, since: number): Promise<number> {
  return writeGap(tx, eco, pauseSince(eco, since));
}

function pauseSince(eco: string, since: number): Gap {
  return { subjectId: eco, since, until: null, restarted: false };
}

/**
 * Records the values as they stand, a few devices at a time; what is recorded already is not recorded again.
 * @param before only those that last changed before then, wall clock, ms
 * @throws "Service Unavailable"
 */
export async function recordStanding(store: Store, deps: RecordDeps, before: number): Promise<void> {
  for (let after = ""; ; ) {
    const ids = await deviceIds(store, deps.eco, after);
    const last = ids.at(-1);
    if (last === undefined) return;
    await store.writeService(async (tx) => recordFacts(tx, deps, await standingFacts(tx, deps.eco, ids, before)));
    after = last;
  }
}

async function deviceIds(store: Store, eco: string, after: string): Promise<string[]> {
  const reader = store.of(eco);
  const devices = reader.from("devices").select("id").where("id", ">", after);
  return (await reader.sql.query(devices.orderBy("id").limit(AT_ONCE))).map(({ id }) => id);
}
