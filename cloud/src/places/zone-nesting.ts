/** Whether a zone may contain other zones: none contains itself, however deep, and there are at most so many levels. Pure. */

/** Zones within zones, the outermost counted as one. */
export const MOST_LEVELS = 16;

/** One zone directly within another. */
export interface Nesting {
  readonly zone_id: string;
  readonly item_id: string;
}

export type NestingVerdict = "good" | "circle" | "too deep";

/**
 * @param nestings what stands in the environment, free of circles
 * @param zone whose contained zones must be those of `inner`, and no others
 */
export function judgeNesting(nestings: readonly Nesting[], zone: string, inner: readonly string[]): NestingVerdict {
  const contains = new Map<string, string[]>();
  const standsIn = new Map<string, string[]>();
  for (const { zone_id, item_id } of nestings) {
    if (zone_id === zone) continue;
    append(contains, zone_id, item_id);
    append(standsIn, item_id, zone_id);
  }
  const below = new Longest(contains);
  const deepest = Math.max(0, ...inner.map((each) => below.from(each)));
  // Whatever a walk down from the items comes to, the zone itself must not be among it.
  if (inner.includes(zone) || below.seen(zone)) return "circle";
  return new Longest(standsIn).from(zone) + deepest > MOST_LEVELS ? "too deep" : "good";
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The longest way from a zone along the steps given, in zones, itself counted; each zone is measured once. */
class Longest {
  readonly #steps: ReadonlyMap<string, readonly string[]>;
  readonly #known = new Map<string, number>();

  constructor(steps: ReadonlyMap<string, readonly string[]>) {
    this.#steps = steps;
  }

  from(zone: string): number {
    const known = this.#known.get(zone);
    if (known !== undefined) return known;
    let longest = 0;
    for (const next of this.#steps.get(zone) ?? []) longest = Math.max(longest, this.from(next));
    this.#known.set(zone, longest + 1);
    return longest + 1;
  }

  /** Whether some way has come to it. */
  seen(zone: string): boolean {
    return this.#known.has(zone);
  }
}
