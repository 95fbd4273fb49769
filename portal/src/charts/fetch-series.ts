/**
 * Fetches the history of one property in the resolution that suits the chart, or in a coarser one when there are too many changes or they
 * have expired.
 */
import type { Porchlight } from "@porchlight/sdk";
import type { HistoryKind, HistoryPage, HistoryResolution } from "@porchlight/shared/api";
import { keyOf, selectorOf, type Target } from "../live/target.ts";
import { type RecordedSeries, recordedOf, serviceTimeOf } from "./planned-series.ts";
import { coarser, isForgotten, resolutionFor } from "./resolution.ts";
import type { Span } from "./span.ts";

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
    const told = pages[0]?.items[0]?.kind;
    const fitting = told && told !== kind ? resolutionFor(length, told) : resolution;
    kind = told ?? kind;
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
    const told = pages.length === 1 ? items[0]?.kind : undefined;
    if (!isChosen && told !== undefined && told !== kind && resolutionFor(length, told) !== resolution) break;
  }
  return { pages, isTooMuch: false };
}

/** The IANA name of the browser's time zone. */
export function hereTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
