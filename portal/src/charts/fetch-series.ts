/**
 * The history of one property in the resolution that suits the length of the chart and the kind of series, or in a coarser one when
 * there are too many changes or they have expired.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { HistoryKind, HistoryPage, HistoryResolution } from "@porchlight/shared/api";
import { keyOf, selectorOf, type Target } from "../live/target.ts";
import { type RecordedSeries, recordedOf, serviceTimeOf } from "./planned-series.ts";
import { DAY, HOUR, type Span } from "./span.ts";

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

/** The API methods that the fetch needs. */
export interface HistoryApi {
  readonly devices: Pick<Porchlight["devices"], "history">;
}

interface HistoryAsked {
  readonly target: Target;
  readonly span: Span;
  /** Length of the visible time, which determines the resolution, in ms. */
  readonly length: number;
  /** The expected kind of series; the response has the actual one. */
  readonly kind: HistoryKind | undefined;
  /** The user's choice; undefined: automatic. */
  readonly resolution: HistoryResolution | undefined;
}

/** Maximum number of points of a series; larger ones are requested in a coarser resolution. */
const MOST_POINTS = 100_000;

/** @returns undefined when the service has no such series @throws PorchlightError; the signal's reason */
export async function fetchSeries(
  api: HistoryApi,
  asked: HistoryAsked,
  signal: AbortSignal,
): Promise<RecordedSeries | undefined> {
  const { target, span, length } = asked;
  const key = keyOf(target);
  let kind = asked.kind;
  let resolution = asked.resolution ?? resolutionFor(length, kind);
  for (;;) {
    const isChosen = asked.resolution !== undefined;
    const { pages, isTooMuch } = await pagesOf(api, { ...asked, kind, resolution, isChosen }, signal);
    const reported = pages[0]?.items[0]?.kind;
    const fitting = reported && reported !== kind ? resolutionFor(length, reported) : resolution;
    kind = reported ?? kind;
    const isUseless = isTooMuch || pages.some(isForgotten);
    const next = !isChosen && fitting !== resolution ? fitting : isUseless && coarser(resolution);
    if (!next) return recordedOf(pages, keyOf, span).find((each) => each.key === key);
    resolution = next;
  }
}

interface Found {
  readonly pages: readonly HistoryPage[];
  /** The series has more points than can be shown. */
  readonly isTooMuch: boolean;
}

async function pagesOf(
  api: HistoryApi,
  {
    target,
    span,
    length,
    kind,
    resolution,
    isChosen,
  }: HistoryAsked & { readonly resolution: HistoryResolution; readonly isChosen: boolean },
  signal: AbortSignal,
): Promise<Found> {
  const filter = {
    ...{ from: serviceTimeOf(span.from), to: serviceTimeOf(span.to), resolution },
    ...(resolution === "1d" || resolution === "1mo" ? { timeZone: hereTimeZone() } : {}),
  };
  const pages: HistoryPage[] = [];
  let points = 0;
  const found = api.devices.history(target.deviceId, selectorOf(target), filter, { signal });
  for await (const { items, ...rest } of found.pages()) {
    pages.push({ ...rest, items: [...items] });
    points += items.reduce((sum, item) => sum + item.points.length, 0);
    if (points > MOST_POINTS) return { pages, isTooMuch: true };
    // The actual kind needs another resolution, so skip the remaining pages.
    const reported = pages.length === 1 ? items[0]?.kind : undefined;
    if (!isChosen && reported !== undefined && reported !== kind && resolutionFor(length, reported) !== resolution)
      break;
  }
  return { pages, isTooMuch: false };
}

/** The IANA name of the browser's time zone. */
export function hereTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
