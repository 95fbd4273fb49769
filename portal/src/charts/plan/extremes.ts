/** How high an axis must reach for what is seen of the series on it. Pure. */
import type { Bar, Line, SeriesPlan } from "./plan.ts";
import type { Span } from "./span.ts";

export interface AxisRange {
  readonly min: number;
  readonly max: number;
}

/** A range around all that is seen; of nothing from 0 to 1. Bars begin at 0. */
export function rangeOf(plans: readonly SeriesPlan[], span: Span): AxisRange {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isFromZero = false;
  const see = (value: number | undefined) => {
    // Nothing that is not a number changes anything.
    if (value !== undefined && value < min) min = value;
    if (value !== undefined && value > max) max = value;
  };
  for (const { drawn } of plans) {
    if (drawn.kind === "bars" || drawn.kind === "counts") {
      isFromZero = true;
      seeBars(drawn.bars, span, see);
    }
    if (drawn.kind !== "step" && drawn.kind !== "mean") continue;
    const { xs, ys } = drawn.line;
    // A mean is joined to those outside, a value that is held comes from before.
    const begin = Math.max(0, firstAfter(xs, span.from) - 1);
    const end = firstAfter(xs, span.to) + (drawn.kind === "mean" ? 1 : 0);
    for (let place = begin; place < Math.min(end, xs.length); place++) {
      if (drawn.kind === "step") see(ys[place]);
      else {
        see(drawn.lows[place]);
        see(drawn.highs[place]);
      }
    }
  }
  if (isFromZero) see(0);
  if (min > max) return { min: 0, max: 1 };
  if (min === max) {
    const room = Math.abs(min) * 0.1 || 1;
    return isFromZero ? { min: Math.min(0, min), max: Math.max(max, 0) + room } : { min: min - room, max: max + room };
  }
  const room = (max - min) * 0.06;
  return { min: isFromZero && min === 0 ? 0 : min - room, max: max + room };
}

function seeBars(bars: readonly Bar[], span: Span, see: (value: number) => void): void {
  for (let place = firstEndingAfter(bars, span.from); place < bars.length; place++) {
    const bar = bars[place];
    if (!bar || bar.from >= span.to) return;
    see(bar.value);
  }
}

// A line as the columns of pixels show it: of the many values of one column the first, the least, the most and the last. 100,000 are as quick as 1,000. Pure.

/** What a line is in one column of pixels. */
interface PixelColumn {
  /** Pixels from the left. */
  readonly x: number;
  readonly first: number;
  readonly low: number;
  readonly high: number;
  readonly last: number;
  /** The line comes here from the column before. */
  readonly isJoined: boolean;
  /** Up to here its last value goes on, px; the same as `x` where the line ends. */
  readonly until: number;
}

/**
 * @param width pixels for the whole span
 * @returns from left to right, only columns in which something begins; a line that began before the span begins at its edge
 */
export function columnsOf({ xs, ys }: Line, { from, to }: Span, width: number): readonly PixelColumn[] {
  const scale = width / (to - from);
  const columns: { -readonly [K in keyof PixelColumn]: PixelColumn[K] }[] = [];
  const begin = Math.max(0, firstAfter(xs, from) - 1);
  let isOpen = false;
  for (let place = begin; place < xs.length; place++) {
    const at = xs[place] ?? 0;
    if (at >= to) break;
    const y = ys[place] ?? Number.NaN;
    const x = Math.max(0, Math.round((at - from) * scale));
    const last = columns.at(-1);
    if (Number.isNaN(y)) {
      if (last && isOpen) last.until = Math.max(last.x, x);
      isOpen = false;
      continue;
    }
    if (last && isOpen && last.x === x) {
      last.low = Math.min(last.low, y);
      last.high = Math.max(last.high, y);
      last.last = y;
    } else {
      if (last && isOpen) last.until = x;
      columns.push({ x, first: y, low: y, high: y, last: y, isJoined: isOpen, until: x });
    }
    isOpen = true;
  }
  const last = columns.at(-1);
  const next = xs[firstAfter(xs, to)];
  if (last && isOpen && next !== undefined) last.until = width;
  return columns;
}

/** The place of the first that is later. */
export function firstAfter(xs: Float64Array, at: number): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The same of anything that begins and ends, in order: the place of the first that ends later. */
export function firstEndingAfter(all: readonly Span[], at: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
