/**
 * Groups series into panels: numbers of at most two units share one panel with two axes, bars are grouped by unit, and states get one
 * timeline each. Pure.
 */
import type { SeriesPlan } from "./plan.ts";

export type Panel =
  | { readonly kind: "lines"; readonly left: Axis; readonly right: Axis | undefined }
  | { readonly kind: "bars"; readonly left: Axis }
  | { readonly kind: "timelines"; readonly plans: readonly SeriesPlan[] };

export interface Axis {
  readonly unit: string | undefined;
  readonly plans: readonly SeriesPlan[];
}

export function panelsOf(plans: readonly SeriesPlan[]): readonly Panel[] {
  const numbers = axesOf(plans.filter(({ drawn }) => drawn.kind === "step" || drawn.kind === "mean"));
  const lines: Panel[] = [];
  for (let place = 0; place < numbers.length; place += 2) {
    const [left, right] = [numbers[place], numbers[place + 1]];
    if (left) lines.push({ kind: "lines", left, right });
  }
  const bars = axesOf(plans.filter(({ drawn }) => drawn.kind === "bars"));
  const counts = plans.filter(({ drawn }) => drawn.kind === "counts");
  const timelines = plans.filter(({ drawn }) => ["bands", "shares", "marks"].includes(drawn.kind));
  return [
    ...lines,
    ...bars.map((left): Panel => ({ kind: "bars", left })),
    ...(counts.length > 0 ? [{ kind: "bars" as const, left: { unit: undefined, plans: counts } }] : []),
    ...(timelines.length > 0 ? [{ kind: "timelines" as const, plans: timelines }] : []),
  ];
}

/** One axis per unit, in the order of first appearance. */
function axesOf(plans: readonly SeriesPlan[]): readonly Axis[] {
  return [...Map.groupBy(plans, ({ unit }) => unit)].map(([unit, all]) => ({ unit, plans: all }));
}
