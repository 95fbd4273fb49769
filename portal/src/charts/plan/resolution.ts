/** How finely history is asked for: what a chart of that length can show, by what kind of series it is. Pure. */
import type { HistoryKind, HistoryPage, HistoryResolution } from "@porchlight/shared/api";
import { DAY, HOUR } from "./span.ts";

/** Up to that length, in that resolution; the last has no end. */
type Steps = readonly (readonly [length: number, resolution: HistoryResolution])[];

const KINDS: readonly HistoryKind[] = ["number", "total", "state", "event"];

const LONGER = Number.POSITIVE_INFINITY;

/** A little more than the presets, so that a day that is moved stays a day. */
const STEPS_OF_STATE: Steps = [
  [35 * DAY, "raw"],
  [4000 * DAY, "1d"],
  [LONGER, "1mo"],
];

const STEPS: Readonly<Record<string, Steps>> = {
  number: [
    [1.1 * DAY, "raw"],
    [8 * DAY, "5m"],
    [100 * DAY, "1h"],
    [4000 * DAY, "1d"],
    [LONGER, "1mo"],
  ],
  // What a meter counts is asked for by the hour, day or month.
  total: [
    [6 * HOUR, "5m"],
    [4 * DAY, "1h"],
    [100 * DAY, "1d"],
    [LONGER, "1mo"],
  ],
  state: STEPS_OF_STATE,
  event: [
    [35 * DAY, "raw"],
    [1000 * DAY, "1d"],
    [LONGER, "1mo"],
  ],
} satisfies Readonly<Record<HistoryKind, Steps>>;

/** @param length of what is shown, ms @param kind undefined while nothing of the series is known: then as a number */
export function resolutionFor(length: number, kind: HistoryKind | undefined): HistoryResolution {
  // A kind of a newer service is drawn as a state.
  const steps = STEPS[kind ?? "number"] ?? STEPS_OF_STATE;
  return steps.find(([most]) => length <= most)?.[1] ?? "1mo";
}

/** The same for all kinds, as one text: what was fetched serves lengths for which it is the same. */
export function resolutionsFor(length: number): string {
  return KINDS.map((kind) => resolutionFor(length, kind)).join();
}

const COARSER: Readonly<Record<HistoryResolution, HistoryResolution | undefined>> = {
  raw: "5m",
  "5m": "1h",
  "1h": "1d",
  "1d": "1mo",
  "1mo": undefined,
};

/** For what is too much in one resolution, or no longer kept in it; undefined when there is none coarser. */
export function coarser(resolution: HistoryResolution): HistoryResolution | undefined {
  return COARSER[resolution];
}

/** Whether single changes of that whole time are no longer kept: statistics may be. */
export function isForgotten({ items, resolution, range }: HistoryPage): boolean {
  if (resolution !== "raw" || items.length === 0) return false;
  return items.every(
    ({ points, before, gaps = [] }) =>
      points.length === 0 &&
      !before &&
      gaps.some(
        ({ from, until, reason }) => reason === "not_recorded" && from <= range.from && (until ?? range.to) >= range.to,
      ),
  );
}
