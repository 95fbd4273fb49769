/** Draws what a meter counted, or how often something happened: a bar for each step, paler where it may be too low. */
import { firstEndingAfter } from "../plan/columns.ts";
import type { Bar } from "../plan/plan.ts";
import type { LineLook, Surface } from "./draw-line.ts";

/** @param share of a step's width that this series has, and its place among them: several stand side by side */
export function drawBars(
  { context, left, width, span, ratio }: Surface,
  bars: readonly Bar[],
  { colour, yOf }: LineLook,
  share: { readonly index: number; readonly of: number },
): void {
  const scale = width / (span.to - span.from);
  const zero = yOf(0);
  context.fillStyle = colour;
  for (let at = firstEndingAfter(bars, span.from); at < bars.length; at++) {
    const bar = bars[at];
    if (!bar || bar.from >= span.to) break;
    const whole = (bar.to - bar.from) * scale;
    const gap = Math.min(whole * 0.2, 6 * ratio);
    const each = (whole - gap) / share.of;
    const x = left + (bar.from - span.from) * scale + gap / 2 + each * share.index;
    // A little is not nothing.
    const height = bar.value === 0 ? 0 : Math.max(ratio, Math.abs(yOf(bar.value) - zero));
    context.globalAlpha = bar.isPartial ? 0.5 : 1;
    context.fillRect(x, bar.value < 0 ? zero : zero - height, Math.max(each, ratio), height);
  }
  context.globalAlpha = 1;
}
