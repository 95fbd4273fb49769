/** The value range of an axis for the visible part of its series. Pure. */
import type { Bar, Line, SeriesPlan } from "./plan.ts";
import type { Span } from "./span.ts";

interface AxisRange {
  readonly min: number;
  readonly max: number;
}

/** The range of all visible values; 0 to 1 when there are none. Bars begin at 0. */
export function rangeOf(plans: readonly SeriesPlan[], span: Span): AxisRange {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let isFromZero = false;
  const see = (value: number | undefined) => {
    // Comparisons with NaN are false, so NaN leaves the range unchanged.
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
    // A mean connects to neighbours outside the span, and a held value comes from before it.
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

/**
 * The part of a line in one column of pixels: of its values the first, minimum, maximum and last, so that 100,000 values draw as fast as
 * 1,000.
 */
interface PixelColumn {
  /** Pixels from the left. */
  readonly x: number;
  readonly first: number;
  readonly low: number;
  readonly high: number;
  readonly last: number;
  /** The line continues from the previous column. */
  readonly isJoined: boolean;
  /** End of the last value, in px; equals `x` where the line ends. */
  readonly until: number;
}

/**
 * Reduces a line to columns of pixels. Pure.
 * @param width pixels of the whole span
 * @returns from left to right, only columns in which a value begins; a line that began before the span begins at its edge
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

/** Index of the first entry later than `at`. */
export function firstAfter(xs: Float64Array, at: number): number {
  let [low, high] = [0, xs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((xs[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the first span that ends later than `at`; the spans are in order. */
export function firstEndingAfter(all: readonly Span[], at: number): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((all[middle]?.to ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
