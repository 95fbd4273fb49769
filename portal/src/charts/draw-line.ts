/** Draws a numeric series: steps for held values, or means with their range. */
import { columnsOf, firstAfter } from "./extremes.ts";
import type { Drawn, Line } from "./plan.ts";
import type { Span } from "./span.ts";

/** A drawing area, in device pixels. */
export interface Surface {
  readonly context: CanvasRenderingContext2D;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Device pixels per px of the style sheet. */
  readonly ratio: number;
  readonly span: Span;
}

export interface LineLook {
  readonly colour: string;
  readonly dash: readonly number[];
  /** The y position of a value. */
  readonly yOf: (value: number) => number;
}

/** Minimum distance at which reported values get a dot, in px. */
const SPARSE = 14;

export function drawSteps(place: Surface, line: Line, { colour, dash, yOf }: LineLook): void {
  const { context, left, width, span, ratio } = place;
  const columns = columnsOf(line, span, width);
  const path = new Path2D();
  let y = 0;
  for (const { x, first, low, high, last, isJoined, until } of columns) {
    const at = left + x;
    if (isJoined) path.lineTo(at, y);
    else path.moveTo(at, yOf(first));
    path.lineTo(at, yOf(first));
    if (low !== high) {
      path.lineTo(at, yOf(low));
      path.lineTo(at, yOf(high));
    }
    y = yOf(last);
    path.lineTo(at, y);
    // Draw at least one pixel, so that a shorter value stays visible.
    path.lineTo(left + Math.max(until, x + 1), y);
  }
  stroke(place, path, colour, dash);
  if (columns.length * SPARSE * ratio > width) return;
  context.fillStyle = colour;
  for (const { x, last, low, high } of columns) {
    // At the left edge the value continues from before the span, so it gets no dot.
    if (x === 0) continue;
    for (const value of new Set([low, high, last])) dot(context, left + x, yOf(value), 2.5 * ratio);
  }
}

export function drawMeans(
  place: Surface,
  drawn: Extract<Drawn, { kind: "mean" }>,
  { colour, dash, yOf }: LineLook,
): void {
  const { context, left, width, span, ratio } = place;
  const { line, lows, highs } = drawn;
  const { xs, ys } = line;
  const scale = width / (span.to - span.from);
  const xOf = (at: number) => left + (at - span.from) * scale;
  const end = Math.min(xs.length, firstAfter(xs, span.to) + 1);
  const path = new Path2D();
  const band = new Path2D();
  let begin = -1;
  context.fillStyle = colour;
  for (let at = Math.max(0, firstAfter(xs, span.from) - 2); at <= end; at++) {
    const y = at < end ? ys[at] : undefined;
    if (y !== undefined && !Number.isNaN(y)) {
      const x = xOf(xs[at] ?? 0);
      if (begin === -1) {
        begin = at;
        path.moveTo(x, yOf(y));
      } else path.lineTo(x, yOf(y));
      continue;
    }
    if (begin === -1) continue;
    // A single point has no line.
    if (at - begin === 1) {
      const x = xOf(xs[begin] ?? 0);
      dot(context, x, yOf(ys[begin] ?? 0), 2.5 * ratio);
      band.rect(x - ratio, yOf(highs[begin] ?? 0), 2 * ratio, yOf(lows[begin] ?? 0) - yOf(highs[begin] ?? 0));
    } else addBand(band, begin, at);
    begin = -1;
  }
  function addBand(to: Path2D, from: number, until: number) {
    to.moveTo(xOf(xs[from] ?? 0), yOf(highs[from] ?? 0));
    for (let at = from + 1; at < until; at++) to.lineTo(xOf(xs[at] ?? 0), yOf(highs[at] ?? 0));
    for (let at = until - 1; at >= from; at--) to.lineTo(xOf(xs[at] ?? 0), yOf(lows[at] ?? 0));
    to.closePath();
  }
  context.globalAlpha = 0.18;
  context.fill(band);
  context.globalAlpha = 1;
  stroke(place, path, colour, dash);
}

function stroke({ context, ratio }: Surface, path: Path2D, colour: string, dash: readonly number[]): void {
  context.strokeStyle = colour;
  context.lineWidth = 1.75 * ratio;
  context.lineJoin = "round";
  context.setLineDash(dash.map((each) => each * ratio));
  context.stroke(path);
  context.setLineDash([]);
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
