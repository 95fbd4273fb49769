/** Writes what a slice of the log comes to, inside the job that moves the position. */
import { STEP_NAMES } from "@porchlight/shared/history";
import type { Log } from "@porchlight/shared/kernel";
import type { Transaction } from "../../store/index.ts";
import { dropGap, gapsOf, writeGap } from "../rows/gap-rows.ts";
import type { Partitions } from "../rows/partitions.ts";
import { addSeries, retireSeries, seriesKey, seriesOf, writeState } from "../rows/series-rows.ts";
import { addPoints, addPointsEach, addSteps, STEP_TABLES, stepRow } from "../rows/value-rows.ts";
import { recordedDevices } from "./devices.ts";
import type { Fact } from "./facts.ts";
import { type Changed, type KeptSince, Slice } from "./slice.ts";

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
