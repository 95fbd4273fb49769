/** The time span of a chart and its changes by the user: presets, zoom, step back or forward, return to now. Pure. */

/** A time span from `from` (inclusive) to `to`, in ms since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Either the most recent time of a given length, which follows the clock, or a fixed time span. */
export type View =
  | { readonly kind: "recent"; readonly length: number }
  | { readonly kind: "fixed"; readonly from: number; readonly to: number };

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

interface Preset {
  readonly name: string;
  /** In ms. */
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

/** Minimum and maximum length of a chart's time span, in ms. */
const SHORTEST = 10_000;
const LONGEST = 20 * 365 * DAY;

/** @param now ms since 1970 */
export function spanOfView(view: View, now: number): Span {
  return view.kind === "recent" ? { from: now - view.length, to: now } : { from: view.from, to: view.to };
}

/** Builds a view from two ends, which can be in either order. Extends or shortens it to the allowed length around its middle. */
export function fixed(one: number, other: number): View {
  const [from, to] = one < other ? [one, other] : [other, one];
  const length = Math.min(LONGEST, Math.max(SHORTEST, to - from));
  const middle = (from + to) / 2;
  return { kind: "fixed", from: Math.round(middle - length / 2), to: Math.round(middle + length / 2) };
}

/**
 * Zooms in or out around a moment that keeps its position on the screen.
 * @param factor of the length; below 1 zooms in
 * @param at ms since 1970
 */
export function zoomed({ from, to }: Span, factor: number, at: number): View {
  const length = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor));
  const share = to > from ? (at - from) / (to - from) : 0.5;
  const begin = Math.round(at - share * length);
  return { kind: "fixed", from: begin, to: Math.round(begin + length) };
}

/** Shifts the span by a share of its length, backwards when negative, and never past now. */
export function moved({ from, to }: Span, share: number, now: number): View {
  const by = Math.min((to - from) * share, Math.max(0, now - to));
  return { kind: "fixed", from: Math.round(from + by), to: Math.round(to + by) };
}

/** Whether the inner span begins and ends within the outer one. */
export function isWithin(inner: Span, outer: Span): boolean {
  return inner.from >= outer.from && inner.to <= outer.to;
}

/**
 * The span to fetch: one more length on each side, aligned to a grid, so that small movements use the same request.
 * @param now ms since 1970
 */
export function fetched({ from, to }: Span, now: number): Span {
  const grain = grainOf(to - from);
  const begin = Math.floor((from - (to - from) / 2) / grain) * grain;
  const end = Math.ceil((to + (to - from) / 2) / grain) * grain;
  return { from: begin, to: Math.max(begin + grain, Math.min(end, Math.ceil(now / grain) * grain)) };
}

/** The grid: a quarter of the length, rounded to a power of two seconds. */
function grainOf(length: number): number {
  return 1000 * 2 ** Math.max(0, Math.round(Math.log2(length / 4000)));
}
