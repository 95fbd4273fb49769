/**
 * Pauses of an ecosystem's recording: its owner disabled history, or events were deleted before they were recorded. A pause is an
 * open gap of the ecosystem; when recording resumes, the present values are recorded first.
 */

import { STEP_NAMES } from "@porchlight/shared/history";
import type { Log } from "@porchlight/shared/kernel";
import { UNKNOWN_TIME } from "@porchlight/shared/model";
import type { Sql, Store, Transaction } from "../store/index.ts";
import type { Fact } from "./facts.ts";
import { dropGap, type Gap, gapsOf, openGap, writeGap } from "./gaps.ts";
import { type Changed, type KeptSince, recordedDevices, Slice } from "./recording-slice.ts";
import { addSeries, retireSeries, seriesKey, seriesOf, writeState } from "./series-rows.ts";
import type { Partitions } from "./service-queries.ts";
import { addPoints, addPointsEach, addSteps, STEP_TABLES, stepRow } from "./value-rows.ts";

/** Devices in one job. */
const AT_ONCE = 100;

type ChangeFact = Extract<Fact, { kind: "change" }>;

/** The state of the pause at the next event. */
export interface Pause {
  /** A gap to write together with the event. */
  readonly gap: Gap | undefined;
  readonly isPaused: boolean;
}

/**
 * Begins, continues or ends a pause.
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

/** Opens a pause after events were deleted before they were recorded. */
export function writePause(tx: Transaction, eco: string, since: number): Promise<number> {
  return writeGap(tx, eco, pauseSince(eco, since));
}

function pauseSince(eco: string, since: number): Gap {
  return { subjectId: eco, since, until: null, restarted: false };
}

/**
 * Records the present values, a few devices at a time; values recorded already are skipped. A value that cannot be recorded
 * becomes a gap of its property.
 * @param before only values that last changed before then, wall clock, ms
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

/** Filters values that were read before the job: leaves out those that another node has recorded meanwhile. */
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

/**
 * The present values of some devices, as changes, without those that history already has.
 * @param before only values that last changed before then, wall clock, ms
 */
async function standingFacts(sql: Sql, eco: string, ids: readonly string[], before: number): Promise<Fact[]> {
  const [rows, recorded] = await Promise.all([
    sql.query(
      sql.build
        .selectFrom("property_values")
        .selectAll()
        .where("ecosystem_id", "=", eco)
        .where("device_id", "in", ids)
        .where("modified_at", "<", before)
        .orderBy("modified_at"),
    ),
    seriesOf(sql, eco, ids),
  ]);
  const known = new Map(recorded.map((series) => [seriesKey(series.deviceId, series), series.state.value]));
  return rows.flatMap((row): Fact[] => {
    const { device_id: deviceId, service, idx: index, property, environment_id: environmentId, value } = row;
    if (known.get(seriesKey(deviceId, { service, index, property })) === value) return [];
    const modifiedAt = Number(row.modified_at);
    const at = modifiedAt === UNKNOWN_TIME ? before : modifiedAt - (modifiedAt % 1000);
    // Sequence 0: the value comes from no known event.
    return [{ ...{ kind: "change", deviceId, environmentId, service, index, property, value, at }, sequence: 0 }];
  });
}

/** Context in which the result of a slice is written, inside the job that moves the position. */
export interface RecordDeps {
  readonly eco: string;
  readonly keep: KeptSince;
  readonly log: Log;
  /** Undefined on SQLite. */
  readonly partitions: Partitions | undefined;
}

export async function recordFacts(tx: Transaction, deps: RecordDeps, facts: readonly Fact[]): Promise<void> {
  const { eco, keep } = deps;
  const ids = [...new Set(facts.flatMap((fact) => (fact.kind === "change" ? [fact.deviceId] : [])))];
  const [devices, stored] = await Promise.all([recordedDevices(tx, eco, ids), seriesOf(tx, eco, ids)]);
  const slice = new Slice({ eco, devices, stored, keep });
  slice.apply(facts, await gapsOf(tx, eco, slice.subjectsOf(facts), slice.oldest));
  const { written, dropped } = slice.gaps;
  await writeValues(tx, deps, slice.changed);
  await Promise.all([
    ...written.map((gap) => writeGap(tx, eco, gap)),
    ...dropped.map((gap) => dropGap(tx, eco, gap)),
    retireSeries(tx, eco, slice.gone),
  ]);
}

async function writeValues(tx: Transaction, { eco, partitions }: RecordDeps, changed: readonly Changed[]) {
  const added = changed.filter(({ series }) => series === undefined);
  const numbers = await addSeries(
    tx,
    eco,
    added.map(({ about, state }) => ({ ...about, state })),
  );
  const numberOf = ({ series, about }: Changed) => series ?? numbers.get(seriesKey(about.deviceId, about)) ?? 0;
  const points = changed.flatMap((each) => each.points.map((point) => ({ series: numberOf(each), ...point })));
  await partitions?.make(
    tx,
    "history_points",
    points.map(({ at }) => at),
  );
  await (partitions ? addPoints(tx, points) : addPointsEach(tx, points));
  for (const step of STEP_NAMES) {
    const rows = changed.flatMap((each) =>
      each.closed.filter((closed) => closed.step === step).map(({ bucket }) => stepRow(numberOf(each), bucket)),
    );
    await partitions?.make(
      tx,
      STEP_TABLES[step],
      rows.map(({ start }) => start),
    );
    await addSteps(tx, step, rows);
  }
  await Promise.all(
    changed.flatMap(({ series, state }) => (series === undefined ? [] : [writeState(tx, series, state)])),
  );
}
