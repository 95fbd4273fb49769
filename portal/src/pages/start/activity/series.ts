/** Activity as a chart and as figures have it: pure. A step that the service does not tell of is unknown, and is drawn so. */
import type { ActivityStep, CommandCounts } from "@porchlight/shared/api";
import { timeOf } from "../../../kit/text/age.tsx";

/** Kinds of bars, from the bottom up. */
export const BAR_KINDS = ["confirmed", "failed", "unknown", "open"] as const;
export type Kind = (typeof BAR_KINDS)[number];

export interface Slot {
  /** Where it begins, ms since 1970. */
  readonly at: number;
  /** Undefined: nothing is known of it. */
  readonly counts: Readonly<Record<Kind, number>> | undefined;
  readonly isPartial: boolean;
}

export interface Series {
  readonly slots: readonly Slot[];
  /** Commands of the busiest slot; at least 1. */
  readonly most: number;
}

/** @param since and until where the first slot begins and the last one ends, ms since 1970 @param step ms */
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

/** What was not confirmed for a known reason is one kind here. */
function countsOf({ confirmed, rejected, not_applied, not_sent, unknown, open }: CommandCounts) {
  return { confirmed, failed: rejected + not_applied + not_sent, unknown, open };
}

export function sumOf(counts: Readonly<Record<Kind, number>>): number {
  return BAR_KINDS.reduce((sum, kind) => sum + counts[kind], 0);
}

export interface Totals {
  readonly commands: Readonly<Record<Kind, number>>;
  readonly all: number;
  /** Commands a minute in the steps that are known whole; undefined when those are less than half of what is known. */
  readonly perMinute: number | undefined;
  /** Undefined when requests were not counted. */
  readonly requests: { readonly all: number; readonly errors: number } | undefined;
}

/** @param step ms */
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
