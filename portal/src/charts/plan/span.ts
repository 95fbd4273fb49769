/** Which time a chart shows, and how a person changes that: presets, zoom, a step to the side, back to now. Pure. */

/** A time from `from` up to `to`, ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Either the latest time of a length, which goes on with the clock, or a time that stands still. */
export type View =
  | { readonly kind: "recent"; readonly length: number }
  | { readonly kind: "fixed"; readonly from: number; readonly to: number };

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Preset {
  readonly name: string;
  /** ms */
  readonly length: number;
}

export const PRESETS: readonly Preset[] = [
  { name: "1 h", length: HOUR },
  { name: "24 h", length: DAY },
  { name: "7 d", length: 7 * DAY },
  { name: "30 d", length: 30 * DAY },
  { name: "1 y", length: 365 * DAY },
];

export const RECENT_DAY: View = { kind: "recent", length: DAY };

/** A chart shows no less and no more than this, ms. */
const SHORTEST = 10_000;
const LONGEST = 20 * 365 * DAY;

/** @param now ms since 1970 */
export function spanOfView(view: View, now: number): Span {
  return view.kind === "recent" ? { from: now - view.length, to: now } : { from: view.from, to: view.to };
}

/** A span that a person may have turned around, or made too short or too long. Its middle stays. */
export function fixed(one: number, other: number): View {
  const [from, to] = one < other ? [one, other] : [other, one];
  const length = Math.min(LONGEST, Math.max(SHORTEST, to - from));
  const middle = (from + to) / 2;
  return { kind: "fixed", from: Math.round(middle - length / 2), to: Math.round(middle + length / 2) };
}

/**
 * Longer or shorter around a moment, which keeps its place.
 * @param factor of the length: below 1 it shows less @param at ms since 1970
 */
export function zoomed({ from, to }: Span, factor: number, at: number): View {
  const length = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor));
  const share = to > from ? (at - from) / (to - from) : 0.5;
  const begin = Math.round(at - share * length);
  return { kind: "fixed", from: begin, to: Math.round(begin + length) };
}

/** A part of its own length later, or earlier when negative; never past now, where nothing can be. */
export function moved({ from, to }: Span, share: number, now: number): View {
  const by = Math.min((to - from) * share, Math.max(0, now - to));
  return { kind: "fixed", from: Math.round(from + by), to: Math.round(to + by) };
}

/** Whether a span begins and ends within another. */
export function isWithin(inner: Span, outer: Span): boolean {
  return inner.from >= outer.from && inner.to <= outer.to;
}

/**
 * What is fetched for a span: as much again on both sides, on whole multiples of a grain, so that the same is asked for while a person moves a little.
 * @param now ms since 1970
 */
export function fetched({ from, to }: Span, now: number): Span {
  const grain = grainOf(to - from);
  const begin = Math.floor((from - (to - from) / 2) / grain) * grain;
  const end = Math.ceil((to + (to - from) / 2) / grain) * grain;
  return { from: begin, to: Math.max(begin + grain, Math.min(end, Math.ceil(now / grain) * grain)) };
}

/** A quarter of the length, as a power of two seconds. */
function grainOf(length: number): number {
  return 1000 * 2 ** Math.max(0, Math.round(Math.log2(length / 4000)));
}
