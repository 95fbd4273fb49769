/** Draws states and occurrences: one timeline per property with bands, shares of a step or marks, labelled where there is room. */
import type { Surface } from "./draw-line.ts";
import { firstEndingAfter } from "./extremes.ts";
import { OTHERS, type SeriesPlan } from "./plan.ts";
import type { Span } from "./span.ts";

export interface TimelineLook {
  readonly name: string;
  readonly words: (value: unknown) => string;
  /** The colour of a value; undefined for a value that is drawn as an empty band, such as off or closed. */
  readonly hueOf: (value: unknown) => number | undefined;
}

/** In px of the style sheet. */
export const TIMELINE = 46;
const NAME = 18;
const BAND = 20;

export function drawTimeline(place: Surface, plan: SeriesPlan, look: TimelineLook, colours: Colours): void {
  const { context, left, top, width, ratio } = place;
  const { top: y, height } = bandIn(place);
  context.font = `${12 * ratio}px ${colours.font}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.fillStyle = colours.text;
  context.save();
  context.beginPath();
  context.rect(left, top, width, TIMELINE * ratio);
  context.clip();
  context.fillText(look.name, left, top + (NAME * ratio) / 2);
  const { drawn } = plan;
  if (drawn.kind === "bands") drawBands(place, drawn.bands, { y, height }, look, colours);
  if (drawn.kind === "shares") drawShares(place, drawn.steps, { y, height }, look, colours);
  if (drawn.kind === "marks") drawMarks(place, drawn.marks, { y, height }, look, colours);
  context.restore();
}

/** The area of the values: below the property's name. */
export function bandIn(place: Surface): Surface {
  return { ...place, top: place.top + NAME * place.ratio, height: BAND * place.ratio };
}

interface Strip {
  readonly y: number;
  readonly height: number;
}

/** The left and right edge; undefined when outside the visible area. */
function edges({ left, width, span }: Surface, { from, to }: Span): readonly [number, number] {
  const scale = width / (span.to - span.from);
  const begin = left + Math.max(0, (from - span.from) * scale);
  return [begin, left + Math.min(width, (to - span.from) * scale)];
}

function drawBands(
  place: Surface,
  bands: readonly (Span & { readonly value: unknown })[],
  { y, height }: Strip,
  look: TimelineLook,
  colours: Colours,
): void {
  const { context, span, ratio } = place;
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (let at = firstEndingAfter(bands, span.from); at < bands.length; at++) {
    const band = bands[at];
    if (!band || band.from >= span.to) break;
    const [begin, exact] = edges(place, band);
    const end = Math.max(exact, begin + ratio);
    // Of several in one pixel column, only the first is drawn.
    if (end <= drawnTo) continue;
    drawnTo = Math.floor(end);
    fill(context, begin, y, end - begin, height, look.hueOf(band.value), colours, ratio);
    write(place, look.words(band.value), begin, end, y + height / 2, look.hueOf(band.value), colours);
  }
}

function fill(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  hue: number | undefined,
  colours: Colours,
  ratio: number,
): void {
  if (hue !== undefined) {
    context.fillStyle = colours.hues[hue % colours.hues.length] ?? colours.text;
    context.fillRect(x, y, width, height);
    return;
  }
  // A thin line marks a known resting state, which differs from an unknown state.
  context.fillStyle = colours.line;
  context.fillRect(x, y + height - 3 * ratio, width, 3 * ratio);
}

/** Writes a label only where the whole word fits. */
function write(
  { context, ratio }: Surface,
  words: string,
  begin: number,
  end: number,
  middle: number,
  hue: number | undefined,
  colours: Colours,
): void {
  if (end - begin < 24 * ratio) return;
  const text = words.length > 60 ? `${words.slice(0, 60)}…` : words;
  if (context.measureText(text).width > end - begin - 8 * ratio) return;
  context.fillStyle = hue === undefined ? colours.quiet : colours.ground;
  context.fillText(text, begin + 4 * ratio, middle);
}

function drawShares(
  place: Surface,
  steps: readonly (Span & { readonly parts: readonly { readonly value: unknown; readonly share: number }[] })[],
  { y, height }: Strip,
  look: TimelineLook,
  colours: Colours,
): void {
  const { context, span, ratio } = place;
  for (let at = firstEndingAfter(steps, span.from); at < steps.length; at++) {
    const step = steps[at];
    if (!step || step.from >= span.to) break;
    const [begin, end] = edges(place, step);
    let below = y + height;
    // Largest first, from the bottom upwards. The unknown share stays empty.
    for (const { value, share } of step.parts) {
      const part = share * height;
      below -= part;
      const hue = value === OTHERS ? undefined : look.hueOf(value);
      context.fillStyle = hue === undefined ? colours.line : (colours.hues[hue % colours.hues.length] ?? colours.text);
      context.fillRect(begin, below, Math.max(ratio, end - begin - ratio), part);
    }
  }
}

function drawMarks(
  place: Surface,
  marks: readonly { readonly at: number; readonly value: unknown }[],
  { y, height }: Strip,
  look: TimelineLook,
  colours: Colours,
): void {
  const { context, left, width, span, ratio } = place;
  const scale = width / (span.to - span.from);
  const shown = marks.filter(({ at }) => at >= span.from && at < span.to);
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const [index, { at, value }] of shown.entries()) {
    const x = Math.round(left + (at - span.from) * scale);
    if (x <= drawnTo) continue;
    drawnTo = x;
    const hue = look.hueOf(value) ?? 0;
    context.fillStyle = colours.hues[hue % colours.hues.length] ?? colours.text;
    context.fillRect(x - ratio, y, 2 * ratio, height);
    const next = shown[index + 1];
    const room = next === undefined ? left + width : left + (next.at - span.from) * scale;
    write(place, look.words(value), x + 2 * ratio, room, y + height / 2, undefined, colours);
  }
}

/** Number of colours for series or states; beyond that they repeat. */
export const HUES = 8;

export interface Colours {
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly ground: string;
  readonly hues: readonly string[];
  readonly font: string;
}

/**
 * Reads the current colours (light or dark) from the page, because a canvas has no access to the style sheet.
 * @param root an element within the chart, whose class defines the names of the hues
 */
export function coloursOf(root: HTMLElement): Colours {
  const probe = document.createElement("span");
  root.append(probe);
  // Disable the transition, or the probe returns a colour between old and new.
  probe.style.transition = "none";
  const style = getComputedStyle(probe);
  const ask = (name: string) => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const colours = {
    ...{ text: ask("text"), quiet: ask("quiet"), line: ask("line"), ground: ask("raised") },
    hues: Array.from({ length: HUES }, (_, index) => ask(`hue-${index}`)),
    font: style.fontFamily,
  };
  probe.remove();
  return colours;
}

/** Dash patterns that distinguish lines of one colour, in px. */
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3]];

/** @param index of the series */
export function dashOf(index: number): readonly number[] {
  return DASHES[Math.floor(index / HUES) % DASHES.length] ?? [];
}
