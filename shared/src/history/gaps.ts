/** Times in which a value is not known, as intervals: pure. Its own file because both what records and what reads subtracts them. */

/** Wall clock, ms; `until` is exclusive, and infinite while it lasts. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** The same time in intervals that neither meet nor overlap, the oldest first. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const sorted = intervals.filter(({ from, until }) => until > from).sort((one, other) => one.from - other.from);
  const all: Interval[] = [];
  for (const each of sorted) {
    const last = all.at(-1);
    if (last && each.from <= last.until)
      all[all.length - 1] = { from: last.from, until: Math.max(last.until, each.until) };
    else all.push(each);
  }
  return all;
}

/** How much of a time is outside the gaps, ms. @param gaps as {@link merged} gives them */
export function knownTime(from: number, until: number, gaps: readonly Interval[]): number {
  if (until <= from) return 0;
  let known = until - from;
  for (const gap of gaps) {
    if (gap.from >= until) break;
    known -= Math.max(0, Math.min(until, gap.until) - Math.max(from, gap.from));
  }
  return known;
}
