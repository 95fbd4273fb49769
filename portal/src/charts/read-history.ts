/** The readings of a chart: at one moment for the line below the cursor, and in full for the table. Pure. */
import { firstAfter, firstEndingAfter } from "./extremes.ts";
import { type Bar, type Line, OTHERS, type SeriesPlan } from "./plan.ts";
import type { GapReason, UnknownTime } from "./planned-series.ts";
import type { Span } from "./span.ts";

type Reading =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "mean"; readonly mean: number; readonly min: number; readonly max: number }
  | { readonly kind: "growth"; readonly value: number; readonly isPartial: boolean }
  | { readonly kind: "count"; readonly value: number; readonly isPartial: boolean }
  | { readonly kind: "shares"; readonly parts: readonly { readonly value: unknown; readonly share: number }[] }
  | { readonly kind: "gap"; readonly reason: GapReason }
  /** No data, for an unknown reason. */
  | { readonly kind: "nothing" };

/** @param at ms since 1970 @param near maximum distance of a mark, in ms */
export function readAt({ drawn, gaps }: SeriesPlan, at: number, near: number): Reading {
  switch (drawn.kind) {
    case "step": {
      const value = drawn.line.ys[firstAfter(drawn.line.xs, at) - 1];
      return value === undefined || Number.isNaN(value) ? unknownAt(gaps, at) : { kind: "value", value };
    }
    case "mean": {
      const step = around(drawn.steps, at);
      return step ? { kind: "mean", mean: step.mean, min: step.min, max: step.max } : unknownAt(gaps, at);
    }
    case "bars":
    case "counts": {
      const bar = around(drawn.bars, at);
      if (!bar) return unknownAt(gaps, at);
      return { kind: drawn.kind === "bars" ? "growth" : "count", value: bar.value, isPartial: bar.isPartial };
    }
    case "bands": {
      const band = around(drawn.bands, at);
      return band ? { kind: "value", value: band.value } : unknownAt(gaps, at);
    }
    case "shares": {
      const step = around(drawn.steps, at);
      return step ? { kind: "shares", parts: step.parts } : unknownAt(gaps, at);
    }
    case "marks": {
      const close = drawn.marks.filter((mark) => Math.abs(mark.at - at) <= near);
      const mark = close.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0];
      return mark ? { kind: "value", value: mark.value } : unknownAt(gaps, at);
    }
  }
}

function around<S extends Span>(all: readonly S[], at: number): S | undefined {
  const found = all[firstEndingAfter(all, at)];
  return found && found.from <= at ? found : undefined;
}

function unknownAt(gaps: readonly UnknownTime[], at: number): Reading {
  const gap = gaps.find(({ from, to }) => from <= at && at < to);
  return gap ? { kind: "gap", reason: gap.reason } : { kind: "nothing" };
}

export interface ReadingRow {
  /** In ms since 1970. */
  readonly at: number;
  /** The end, for readings that last. */
  readonly until: number | undefined;
  readonly key: string;
  readonly reading: Reading;
}

/** All visible readings, newest first. */
export function readingRowsOf(plans: readonly SeriesPlan[], span: Span): readonly ReadingRow[] {
  const rows = plans.flatMap((plan) => [...rowsOfOne(plan), ...plan.gaps.map((gap) => gapRow(plan.key, gap))]);
  return rows
    .filter(({ at, until = at }) => at < span.to && until >= span.from)
    .toSorted((one, other) => other.at - one.at);
}

function gapRow(key: string, { from, to, reason }: UnknownTime): ReadingRow {
  return { at: from, until: to, key, reading: { kind: "gap", reason } };
}

function rowsOfOne({ key, drawn }: SeriesPlan): ReadingRow[] {
  switch (drawn.kind) {
    case "step":
      return stepRows(key, drawn.line);
    case "mean":
      return drawn.steps.map(({ from, to, mean, min, max }) => ({
        ...{ at: from, until: to, key },
        reading: { kind: "mean", mean, min, max },
      }));
    case "bars":
    case "counts": {
      const kind = drawn.kind === "bars" ? "growth" : "count";
      const readingOf = ({ value, isPartial }: Bar): Reading => ({ kind, value, isPartial });
      return drawn.bars.map((bar) => ({ at: bar.from, until: bar.to, key, reading: readingOf(bar) }));
    }
    case "bands":
      return drawn.bands.map(({ from, to, value }) => ({
        at: from,
        until: to,
        key,
        reading: { kind: "value", value },
      }));
    case "shares":
      return drawn.steps.map(({ from, to, parts }) => ({
        at: from,
        until: to,
        key,
        reading: { kind: "shares", parts },
      }));
    case "marks":
      return drawn.marks.map(({ at, value }) => ({ at, until: undefined, key, reading: { kind: "value", value } }));
  }
}

function stepRows(key: string, { xs, ys }: Line): ReadingRow[] {
  const rows: ReadingRow[] = [];
  for (const [place, value] of ys.entries())
    if (!Number.isNaN(value))
      rows.push({ at: xs[place] ?? 0, until: xs[place + 1], key, reading: { kind: "value", value } });
  return rows;
}

const GAP_WORDS: Readonly<Record<string, string>> = {
  device_offline: "device offline",
  hub_offline: "hub offline",
  not_recorded: "not recorded",
  not_received: "not known to this page",
} satisfies Readonly<Record<GapReason, string>>;

export const gapWords = (reason: GapReason): string => `unknown: ${GAP_WORDS[reason] ?? reason.replaceAll("_", " ")}`;

/** @param words formats one value with its unit */
export function readingWords(reading: Reading, words: (value: unknown) => string): string {
  switch (reading.kind) {
    case "value":
      return words(reading.value);
    case "mean":
      if (reading.min === reading.max) return `${words(rounded(reading.mean))} (mean)`;
      return `${words(rounded(reading.mean))} (mean; ${words(rounded(reading.min))} to ${words(rounded(reading.max))})`;
    case "growth":
      return `${words(rounded(reading.value))}${reading.isPartial ? " or more (incomplete)" : ""}`;
    case "count":
      return `${reading.value} times${reading.isPartial ? " or more (incomplete)" : ""}`;
    case "shares":
      return reading.parts
        .map(({ value, share }) => `${value === OTHERS ? "others" : words(value)} ${percent(share)}`)
        .join(", ");
    case "gap":
      return gapWords(reading.reason);
    case "nothing":
      return "nothing known";
  }
}

/** Rounds a computed value to the precision of measured ones. */
export function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

function percent(share: number): string {
  const whole = Math.round(share * 100);
  return whole === 0 && share > 0 ? "under 1 %" : `${whole} %`;
}
