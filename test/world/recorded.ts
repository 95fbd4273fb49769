/**
 * What the cloud has recorded of the past, beside its event log. The judge adds everything up once more, second by second, with nothing
 * of the program: every change is there once, in its order, and every statistic is that of the seconds that were known.
 */
import Sqlite from "better-sqlite3";
import type { EventRecord } from "./history.ts";

export interface Recorded {
  /** Of the last event that is recorded. */
  readonly position: number;
  readonly series: readonly RecordedSeries[];
}

interface RecordedSeries {
  readonly key: string;
  readonly kind: string;
  readonly state: {
    readonly value: string;
    readonly at: number;
    readonly open: Readonly<Record<string, RecordedStep>>;
  };
  readonly points: readonly { readonly at: number; readonly sequence: number; readonly value: string }[];
  /** Complete ones, by length in ms. */
  readonly steps: readonly { readonly length: number; readonly step: RecordedStep }[];
}

interface RecordedStep {
  readonly start: number;
  readonly count: number;
  readonly knownMs: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly area: number;
  readonly states: Readonly<Record<string, number>>;
}

const LENGTHS = { fiveMinutes: 300_000, hours: 3_600_000 } as const;
const TABLES = { fiveMinutes: "history_five_minutes", hours: "history_hours" } as const;
const NAMES = ["fiveMinutes", "hours"] as const;

export function readRecorded(path: string): Recorded {
  const db = new Sqlite(path, { readonly: true });
  const all = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Record<string, string>[];
  const series = all("select * from history_series where gone = 0").map((row): RecordedSeries => {
    const number = row.series;
    const steps = NAMES.flatMap((name) =>
      all(`select * from ${TABLES[name]} where series = ? order by start`, number).map((step) => ({
        length: LENGTHS[name],
        step: stepOf(step),
      })),
    );
    const points = all("select at, sequence, value from history_points where series = ? order by at, sequence", number);
    const key = `${row.device_id} ${row.service}:${row.idx}.${row.property}`;
    // What the program has written: it is judged by its content.
    return { key, kind: row.kind ?? "", state: JSON.parse(row.state ?? "{}"), points: points as never, steps };
  });
  const [position] = all("select sequence from history_positions");
  db.close();
  return { position: Number(position?.sequence ?? 0), series };
}

function stepOf(row: Record<string, string>): RecordedStep {
  const { start, count, known_ms: knownMs, min, max, area, states } = row;
  return { start, count, knownMs, min, max, area, states: JSON.parse(states ?? "{}") } as unknown as RecordedStep;
}

interface LoggedChange {
  readonly at: number;
  readonly sequence: number;
  readonly value: string;
}

/** @param hub the client that all devices are on */
export function judgeRecorded(events: readonly EventRecord[], recorded: Recorded, hub: string): string[] {
  const newest = events.at(-1)?.sequence ?? 0;
  if (recorded.position !== newest) return [`the log is recorded up to ${recorded.position} of ${newest}`];
  const logged = new Map<string, LoggedChange[]>();
  const known = new Map<string, (string | undefined)[]>();
  const away = new Map<string, { since: number; restarted: boolean }>();
  const past: { subject: string; since: number; until: number }[] = [];
  for (const { sequence, type, data } of events) {
    const event = JSON.parse(data);
    if (type === "property.changed") change(event.item, sequence);
    else if (/^(?:device|hub)\.(?:online|offline|restarted)$/.test(type)) presence(type, event);
  }
  return recorded.series.flatMap((series) =>
    judgeSeries(series, logged.get(series.key) ?? [], known.get(series.key) ?? []),
  );

  function change(item: Record<string, string>, sequence: number): void {
    const { deviceId = "", service, index, property, value, modifiedAt } = item;
    const key = `${deviceId} ${service}:${index}.${property}`;
    const own = logged.get(key) ?? [];
    const before = own.at(-1);
    const at = Math.max(seconds(modifiedAt) ?? 0, before?.at ?? 0);
    const seen = known.get(key) ?? [];
    // The time since the change before had that value, as far as it was known by then.
    for (let second = before?.at ?? at; second < at; second += 1_000)
      seen.push(isUnknown(deviceId, second) ? undefined : before?.value);
    known.set(key, seen);
    logged.set(key, [...own, { at, sequence, value: JSON.stringify(value ?? null) }]);
  }

  function isUnknown(deviceId: string, at: number): boolean {
    const subjects = [deviceId, hub];
    return (
      subjects.some((subject) => (away.get(subject)?.since ?? Number.POSITIVE_INFINITY) <= at) ||
      past.some(({ subject, since, until }) => subjects.includes(subject) && since <= at && at < until)
    );
  }

  function presence(type: string, { id, connection }: { id: string; connection: Record<string, string> }): void {
    const since = seconds(connection.since) ?? 0;
    const lastSeen = seconds(connection.lastSeenAt);
    const last = lastSeen !== undefined && lastSeen < since && lastSeen >= since - 300_000 ? lastSeen : since;
    const open = away.get(id);
    if (type.endsWith(".offline")) {
      if (!open) away.set(id, { since: last, restarted: false });
    } else if (type.endsWith(".restarted")) {
      if (open) away.set(id, { ...open, restarted: true });
      else if (last < since) past.push({ subject: id, since: last, until: since });
    } else if (open) {
      away.delete(id);
      if (type === "device.online" || open.restarted)
        past.push({ subject: id, since: open.since, until: Math.max(since, open.since) });
    }
  }
}

function judgeSeries(
  series: RecordedSeries,
  logged: readonly LoggedChange[],
  known: readonly (string | undefined)[],
): string[] {
  const { key, kind, points, state, steps } = series;
  if (JSON.stringify(points) !== JSON.stringify(logged))
    return [`${key}: the log tells ${logged.length} changes, and ${points.length} are recorded, or in another order`];
  const begin = logged[0]?.at ?? 0;
  const open = NAMES.map((name) => ({ length: LENGTHS[name], step: state.open[name] }));
  return [...steps, ...open].flatMap(({ length, step }) => {
    if (!step) return [`${key} has no open step`];
    const { start } = step;
    const within = logged.filter(({ at }) => at >= start && at < start + length);
    const from = Math.max(0, (start - begin) / 1_000);
    const seen = known.slice(from, Math.max(0, (start + length - begin) / 1_000));
    const held = kind === "event" ? [] : seen.filter((value) => value !== undefined && value !== "null");
    const truth = { count: within.length, knownMs: 1_000 * held.length };
    const found = { count: step.count, knownMs: step.knownMs };
    const name = `${key}, the step of ${length / 60_000} min at ${start}`;
    if (JSON.stringify(truth) !== JSON.stringify(found))
      return [`${name} is ${JSON.stringify(found)}, and was ${JSON.stringify(truth)}`];
    return kind === "number" || kind === "total"
      ? judgeNumbers(name, step, within, held)
      : judgeStates(name, kind, step, within, held);
  });
}

function judgeNumbers(
  name: string,
  step: RecordedStep,
  within: readonly LoggedChange[],
  held: readonly (string | undefined)[],
) {
  const numbers = [...within.map(({ value }) => value), ...held].map(Number);
  const area = held.reduce((sum, value) => sum + 1_000 * Number(value), 0);
  const isTrue =
    step.min === Math.min(...numbers) && step.max === Math.max(...numbers) && Math.abs(step.area - area) < 1e-3;
  return isTrue ? [] : [`${name} has ${step.min} to ${step.max} and ${step.area}, and had ${numbers.join(", ")}`];
}

function judgeStates(
  name: string,
  kind: string,
  step: RecordedStep,
  within: readonly LoggedChange[],
  held: readonly (string | undefined)[],
): string[] {
  const truth: Record<string, number> = {};
  const seen = kind === "event" ? within.map(({ value }) => value) : held;
  for (const value of seen) truth[value ?? ""] = (truth[value ?? ""] ?? 0) + (kind === "event" ? 1 : 1_000);
  const sorted = (states: Readonly<Record<string, number>>) => JSON.stringify(Object.entries(states).sort());
  return sorted(truth) === sorted(step.states) ? [] : [`${name} has ${sorted(step.states)}, and had ${sorted(truth)}`];
}

function seconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text.replace(" ", "T"));
}
