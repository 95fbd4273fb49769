/** Gaps of a chart: times without data. */
import type { Surface } from "./draw-line.ts";
import type { Colours } from "./draw-timelines.ts";
import type { UnknownTime } from "./planned-series.ts";
import { gapWords } from "./read-history.ts";

/** Distance of the hatch lines, in px. */
const HATCH = 7;

/** Draws gaps: hatched over the whole height, with the reason where there is room. */
export function drawGaps(
  { context, left, top, width, height, span, ratio }: Surface,
  gaps: readonly UnknownTime[],
  colours: Colours,
): void {
  const scale = width / (span.to - span.from);
  for (const { from, to, reason } of gaps) {
    if (to <= span.from || from >= span.to) continue;
    const begin = left + Math.max(0, (from - span.from) * scale);
    const wide = Math.max(ratio, left + Math.min(width, (to - span.from) * scale) - begin);
    context.save();
    context.beginPath();
    context.rect(begin, top, wide, height);
    context.clip();
    context.globalAlpha = 0.25;
    context.fillStyle = colours.line;
    context.fillRect(begin, top, wide, height);
    context.globalAlpha = 0.8;
    context.strokeStyle = colours.line;
    context.lineWidth = ratio;
    context.beginPath();
    // The pattern starts at the canvas's corner, so that adjacent gaps line up.
    const first = Math.floor((begin - height) / (HATCH * ratio)) * HATCH * ratio;
    for (let x = first; x < begin + wide; x += HATCH * ratio) {
      context.moveTo(x, top + height);
      context.lineTo(x + height, top);
    }
    context.stroke();
    context.globalAlpha = 1;
    writeReason(context, gapWords(reason), { begin, wide, top, ratio }, colours);
    context.restore();
  }
}

function writeReason(
  context: CanvasRenderingContext2D,
  words: string,
  {
    begin,
    wide,
    top,
    ratio,
  }: { readonly begin: number; readonly wide: number; readonly top: number; readonly ratio: number },
  colours: Colours,
): void {
  context.font = `${11 * ratio}px ${colours.font}`;
  const { width } = context.measureText(words);
  if (width + 10 * ratio > wide) return;
  context.fillStyle = colours.ground;
  context.fillRect(begin + 2 * ratio, top + 2 * ratio, width + 6 * ratio, 16 * ratio);
  context.fillStyle = colours.quiet;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillText(words, begin + 5 * ratio, top + 10 * ratio);
}
