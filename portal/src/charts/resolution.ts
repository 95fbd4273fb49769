/** The resolution of a history request, by the chart's length and the kind of series. Pure. */
import type { HistoryKind, HistoryPage, HistoryResolution } from "@porchlight/shared/api";
import { DAY, HOUR } from "./span.ts";

/** Resolutions by the maximum length they serve; the last entry has no maximum. */
type Steps = readonly (readonly [length: number, resolution: HistoryResolution])[];

const KINDS: readonly HistoryKind[] = ["number", "total", "state", "event"];

const LONGER = Number.POSITIVE_INFINITY;

/** Limits slightly above the presets, so that a shifted day still counts as a day. */
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
  // A meter's growth is requested by hour, day or month.
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

/** @param length of the displayed time, in ms @param kind undefined while unknown: the resolution for numbers is used */
export function resolutionFor(length: number, kind: HistoryKind | undefined): HistoryResolution {
  // A kind that a newer service adds is drawn as a state.
  const steps = STEPS[kind ?? "number"] ?? STEPS_OF_STATE;
  return steps.find(([most]) => length <= most)?.[1] ?? "1mo";
}

/** The resolutions of all kinds as one text. A response is reusable for every length with the same text. */
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

/** The next coarser resolution, for series with too many points or expired changes; undefined when there is none. */
export function coarser(resolution: HistoryResolution): HistoryResolution | undefined {
  return COARSER[resolution];
}

/** Whether the single changes of the whole time have expired; statistics can still exist. */
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
