/** How high an axis must reach for what is seen of the series on it. Pure. */
import { firstAfter, firstEndingAfter } from "./columns.ts";
import type { Bar, SeriesPlan } from "./plan.ts";
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
