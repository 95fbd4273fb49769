/**
 * Times in which an ecosystem is not recorded: because its owner turned history off, or because events were deleted before they were
 * recorded. Such a time is an open gap of the ecosystem; when recording goes on, the values that stand then are recorded first.
 */
import type { Store, Transaction } from "../../store/index.ts";
import { type Gap, gapsOf, openGap, writeGap } from "../rows/gap-rows.ts";
import { seriesKey } from "../rows/series-rows.ts";
import type { Fact } from "./facts.ts";
import { type RecordDeps, recordFacts } from "./record-facts.ts";
import { standingFacts } from "./standing.ts";

/** Devices of one job. */
const AT_ONCE = 100;

type ChangeFact = Extract<Fact, { kind: "change" }>;

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
 * Records the values as they stand, a few devices at a time; what is recorded already is not recorded again. One that cannot be recorded
 * is a gap of its property.
 * @param before only those that last changed before then, wall clock, ms
 * @throws "Service Unavailable"
 */
export async function recordStanding(store: Store, deps: RecordDeps, before: number): Promise<void> {
  const { eco, log } = deps;
  for (let after = ""; ; ) {
    const ids = await deviceIds(store, eco, after);
    const last = ids.at(-1);
    if (last === undefined) return;
    const standing = (await standingFacts(store.of(eco).sql, eco, ids, before)).filter(
      (fact) => fact.kind === "change",
    );
    await store.setAside.each(standing, {
      ...{ loop: "history", log, about: ({ deviceId, ...address }) => ({ property: seriesKey(deviceId, address) }) },
      work: (part) =>
        store.writeService(async (tx) => recordFacts(tx, deps, await stillStanding(tx, eco, part, before))),
      aside: (fact) => store.writeService((tx) => openGap(tx, eco, seriesKey(fact.deviceId, fact), fact.at)),
    });
    after = last;
  }
}

/** Of values that were read before the job, what another node has not recorded meanwhile. */
async function stillStanding(
  tx: Transaction,
  eco: string,
  read: readonly ChangeFact[],
  before: number,
): Promise<Fact[]> {
  const keys = new Set(read.map((fact) => seriesKey(fact.deviceId, fact)));
  const facts = await standingFacts(tx, eco, [...new Set(read.map(({ deviceId }) => deviceId))], before);
  return facts.filter((fact) => fact.kind === "change" && keys.has(seriesKey(fact.deviceId, fact)));
}

async function deviceIds(store: Store, eco: string, after: string): Promise<string[]> {
  const reader = store.of(eco);
  const devices = reader.from("devices").select("id").where("id", ">", after);
  return (await reader.sql.query(devices.orderBy("id").limit(AT_ONCE))).map(({ id }) => id);
}
