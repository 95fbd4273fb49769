/** Converts activity data for the chart and the figures. A step that the response lacks is unknown, and is drawn as such. Pure. */
import type { ActivityStep, CommandCounts } from "@porchlight/shared/api";
import { timeOf } from "../../kit/text/age.tsx";

/** Kinds of bars, from the bottom up. */
export const BAR_KINDS = ["confirmed", "failed", "unknown", "open"] as const;
export type Kind = (typeof BAR_KINDS)[number];

export interface Slot {
  /** Begin of the step, in ms since 1970. */
  readonly at: number;
  /** Undefined when the step is unknown. */
  readonly counts: Readonly<Record<Kind, number>> | undefined;
  readonly isPartial: boolean;
}

export interface Series {
  readonly slots: readonly Slot[];
  /** Number of commands in the busiest slot, at least 1. */
  readonly most: number;
}

/** @param since begin of the first slot, ms since 1970 @param until end of the last slot, ms since 1970 @param step in ms */
export function seriesOf(steps: readonly ActivityStep[], since: number, until: number, step: number): Series {
  const byStart = new Map(steps.map((each) => [timeOf(each.since), each]));
  const slots: Slot[] = [];
  for (let at = since - (since % step); at < until; at += step) {
    const known = byStart.get(at);
    slots.push({ at, counts: known && countsOf(known.commands), isPartial: known?.partial === true });
  }
  const most = Math.max(1, ...slots.map(({ counts }) => (counts ? sumOf(counts) : 0)));
  return { slots, most };
}

/** Merges all failures with a known reason into one kind. */
function countsOf({ confirmed, rejected, not_applied, not_sent, unknown, open }: CommandCounts) {
  return { confirmed, failed: rejected + not_applied + not_sent, unknown, open };
}

export function sumOf(counts: Readonly<Record<Kind, number>>): number {
  return BAR_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

export interface Totals {
  readonly commands: Readonly<Record<Kind, number>>;
  readonly all: number;
  /** Commands per minute in the complete steps; undefined when these are less than half of the known ones. */
  readonly perMinute: number | undefined;
  /** Undefined when requests were not counted. */
  readonly requests: { readonly all: number; readonly errors: number } | undefined;
}

/** @param step in ms */
export function totalsOf(steps: readonly ActivityStep[], step: number): Totals {
  const commands = { confirmed: 0, failed: 0, unknown: 0, open: 0 };
  const whole = { commands: 0, minutes: 0 };
  let requests: { all: number; errors: number } | undefined;
  for (const { commands: counted, requests: asked, partial } of steps) {
    const counts = countsOf(counted);
    for (const kind of BAR_KINDS) commands[kind] += counts[kind];
    if (!partial) {
      whole.commands += sumOf(counts);
      whole.minutes += step / 60_000;
    }
    if (asked) {
      const errors = asked.status4xx + asked.status5xx;
      const all = errors + asked.status2xx + asked.status3xx;
      requests = { all: (requests?.all ?? 0) + all, errors: (requests?.errors ?? 0) + errors };
    }
  }
  const isMost = whole.minutes > 0 && whole.minutes * 60_000 * 2 >= steps.length * step;
  const perMinute = isMost ? whole.commands / whole.minutes : undefined;
  return { commands, all: sumOf(commands), perMinute, requests };
}

/** "0", "0.04", "1.2", "340". @param rate not negative */
export function rateWords(rate: number): string {
  return rate >= 10 ? Math.round(rate).toLocaleString("en") : String(Number(rate.toPrecision(2)));
}

/** "0 %", "less than 0.1 %", "12.5 %". @param share 0 to 1 */
export function shareWords(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "less than 0.1 %";
  return `${Number(percent.toFixed(1))} %`;
}
