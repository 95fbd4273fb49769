/** RecordedSeries as the service answers them, for tests: of minutes from one beginning on. */
import type { HistoryGap, HistoryKind, HistoryPage, HistoryPoint, HistoryResolution } from "@porchlight/shared/api";
import type { Drawn } from "./plan.ts";
import { type RecordedSeries, recordedOf, serviceTimeOf } from "./planned-series.ts";

export const MINUTE = 60_000;
export const BEGIN = Date.UTC(2026, 10, 5, 12);
export const at = (minutes: number) => serviceTimeOf(BEGIN + minutes * MINUTE);
export const keyOf = ({ property }: { readonly property: string }) => property;

export interface Given {
  readonly kind?: HistoryKind;
  readonly resolution?: HistoryResolution;
  readonly points?: readonly HistoryPoint[];
  readonly before?: { readonly at: string; readonly value: string | number | boolean | null };
  readonly gaps?: HistoryGap[];
  readonly to?: number;
}

export function page({ kind = "number", resolution = "raw", points = [], before, gaps, to = 10 }: Given): HistoryPage {
  const named = { deviceId: "dev_1", service: "Temperature", index: "0", property: "celsius" };
  return {
    items: [{ ...named, kind, points: [...points], ...(before && { before }), ...(gaps && { gaps }) }],
    resolution,
    range: { from: at(0), to: at(to) },
  };
}

export function series(given: Given): RecordedSeries {
  const [found] = recordedOf([page(given)], keyOf, { from: BEGIN, to: BEGIN + 60 * MINUTE });
  if (!found) throw new Error("There is no series.");
  return found;
}

/** A line as minutes and values. */
export function corners(what: Drawn): readonly (readonly [number, number])[] {
  if (what.kind !== "step" && what.kind !== "mean") throw new Error(`${what.kind} is no line.`);
  return [...what.line.xs].map((x, index) => [(x - BEGIN) / MINUTE, what.line.ys[index] ?? Number.NaN]);
}

export const raw = (...changes: readonly (readonly [number, HistoryPoint["value"]])[]) =>
  changes.map(([minute, value]) => ({ at: at(minute), value }));
export const gap = (from: number, until: number | undefined, reason: HistoryGap["reason"] = "device_offline") => ({
  from: at(from),
  reason,
  ...(until !== undefined && { until: at(until) }),
});
