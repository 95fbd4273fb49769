/** The rows of changes and steps: written in batches, and read by series. */
import { type Bucket, NONE, readSum, type Step, storedSum } from "@porchlight/shared/history";
import {
  allPacked,
  type HistoryPointRow,
  type HistoryStepRow,
  one,
  packedRows,
  type Sql,
  statement,
} from "../store/index.ts";

export const STEP_TABLES = { fiveMinutes: "history_five_minutes", hours: "history_hours" } as const satisfies Readonly<
  Record<Step, string>
>;

/** Rows in one statement. */
const AT_ONCE = 500;

const insertPoint = statement<{ [K in keyof HistoryPointRow]: HistoryPointRow[K] }>("insert_history_point")((db, p) =>
  db.insertInto("history_points").values({ series: p.series, at: p.at, sequence: p.sequence, value: p.value }),
);

/** Like {@link addPoints}, for a store without round trips: its statement is compiled once, not for each number of rows. */
export async function addPointsEach(sql: Sql, rows: readonly HistoryPointRow[]): Promise<void> {
  await Promise.all(rows.map((row) => sql.run(insertPoint, { ...row })));
}

export async function addPoints(sql: Sql, rows: readonly HistoryPointRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await sql.change(sql.build.insertInto("history_points").values(rows.slice(at, at + AT_ONCE)));
}

export async function addSteps(sql: Sql, step: Step, rows: readonly HistoryStepRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await sql.change(sql.build.insertInto(STEP_TABLES[step]).values(rows.slice(at, at + AT_ONCE)));
}

export function stepRow(series: number, bucket: Bucket): HistoryStepRow {
  const { start, count, min, max, area, growth, resets, last, states } = bucket;
  const statesText = Object.keys(states).length > 0 ? JSON.stringify(states) : null;
  return {
    ...{ series, start, count, known_ms: bucket.knownMs, min, max },
    ...{ area: storedSum(area), growth: storedSum(growth), resets, last, states: statesText },
  };
}

type Span = { series: number; from: number; to: number };

const selectPoints = statement<Span & { at: number; after: number; limit: number }>("history_points_in")((db, p) =>
  db
    .selectFrom("history_points")
    .select(["at", "sequence", "value"])
    .where("series", "=", p.series)
    .where("at", ">=", p.from)
    .where("at", "<", p.to)
    // Points with the same time are ordered by their sequence.
    .where((of) => of.or([of("at", ">", p.at), of("sequence", ">", p.after)]))
    .orderBy("at")
    .orderBy("sequence")
    .limit(p.limit),
);
const selectPointBefore = statement<{ series: number; at: number }>("history_point_before")((db, p) =>
  db
    .selectFrom("history_points")
    .select(["at", "sequence", "value"])
    .where("series", "=", p.series)
    .where("at", "<", p.at)
    .orderBy("at", "desc")
    .orderBy("sequence", "desc")
    .limit(1),
);
const selectSteps = {
  fiveMinutes: stepsIn("fiveMinutes"),
  hours: stepsIn("hours"),
};
const selectStepBefore = {
  fiveMinutes: stepBefore("fiveMinutes"),
  hours: stepBefore("hours"),
};

const selectFirstStep = statement<{ series: number }>("history_first_step")((db, p) =>
  db.selectFrom("history_hours").select("start").where("series", "=", p.series).orderBy("start").limit(1),
);

export interface Point {
  readonly at: number;
  readonly sequence: number;
  /** JSON. */
  readonly value: string;
}

/** Points of a span, oldest first. @param after only points after this one */
export function pointsIn(
  sql: Sql,
  span: Span,
  after: Pick<Point, "at" | "sequence"> | undefined,
  limit: number,
): Promise<Point[]> {
  const from = Math.max(span.from, after?.at ?? 0);
  // Sequences are not negative, so -1 includes all points.
  const place = after && after.at >= span.from ? { at: after.at, after: after.sequence } : { at: from, after: -1 };
  return sql.all(selectPoints, { ...span, from, ...place, limit });
}

/** The newest point before a time. */
export function pointBefore(sql: Sql, series: number, at: number): Promise<Point | undefined> {
  return one(sql.all(selectPointBefore, { series, at }));
}

/** Steps that begin in a span, the oldest first. */
export async function bucketsIn(sql: Sql, step: Step, span: Span): Promise<Bucket[]> {
  return (await allPacked(sql, selectSteps[step], span)).map(bucketOf);
}

/** JSON of the value at the end of the newest step that begins before a time. */
export async function lastBefore(sql: Sql, step: Step, series: number, at: number): Promise<string | undefined> {
  return (await one(sql.all(selectStepBefore[step], { series, at })))?.last;
}

/** Start of the oldest step of a series; undefined when no step is complete. */
export async function firstStep(sql: Sql, series: number): Promise<number | undefined> {
  return (await one(sql.all(selectFirstStep, { series })))?.start;
}

type StepRow = Omit<HistoryStepRow, "series">;

/** Converts a row to statistics. */
export function bucketOf(row: StepRow): Bucket {
  const { start, count, known_ms, min, max, area, growth, resets, last, states } = row;
  // Trusted: this module wrote the column.
  const parsedStates: Record<string, number> = states === null ? {} : JSON.parse(states);
  const sums = { area: readSum(area), growth: readSum(growth) };
  return { start, count, knownMs: known_ms, min, max, ...sums, resets, last, states: parsedStates };
}

function stepsIn(step: Step) {
  const steps = statement<Span>(`history_${step}_in`)((db, p) =>
    db
      .selectFrom(STEP_TABLES[step])
      .select(["start", "count", "known_ms", "min", "max", "area", "growth", "resets", "last", "states"])
      .where("series", "=", p.series)
      .where("start", ">=", p.from)
      .where("start", "<", p.to)
      .orderBy("start"),
  );
  return packedRows(
    steps,
    {
      numbers: ["start", "count", "known_ms", "min", "max", "area", "growth", "resets"],
      texts: ["last", "states"],
      nullable: ["min", "max", "states"],
    },
    (numbers, from, [last, states], row) => ({
      start: numbers[from] ?? 0,
      count: numbers[from + 1] ?? 0,
      known_ms: numbers[from + 2] ?? 0,
      min: numbers[from + 3] ?? null,
      max: numbers[from + 4] ?? null,
      area: numbers[from + 5] ?? Number.NaN,
      growth: numbers[from + 6] ?? Number.NaN,
      resets: numbers[from + 7] ?? 0,
      last: last?.[row] ?? NONE,
      states: states?.[row] ?? null,
    }),
  );
}

function stepBefore(step: Step) {
  return statement<{ series: number; at: number }>(`history_${step}_before`)((db, p) =>
    db
      .selectFrom(STEP_TABLES[step])
      .select("last")
      .where("series", "=", p.series)
      .where("start", "<", p.at)
      .orderBy("start", "desc")
      .limit(1),
  );
}
