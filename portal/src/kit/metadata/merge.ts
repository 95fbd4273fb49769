/** Two changes of one JSON object brought together: what only one side has changed is taken, what both have is a conflict. Pure. */

export type Fields = Readonly<Record<string, unknown>>;
export type Side = "mine" | "theirs";

/** One field that both sides have changed, differently. A value that is not there is undefined. */
export interface Conflict {
  /** Keys from the outermost on. */
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merged {
  readonly value: Fields;
  readonly conflicts: readonly Conflict[];
}

/** Whose value a conflict must have; undefined while the user has not decided. */
export type Choose = (conflict: Conflict) => Side | undefined;

/**
 * Objects are merged field by field, however deep; everything else, arrays too, is one value.
 * @param base what both sides began with
 * @returns with the conflicts that are still to be chosen of, in which mine stands
 */
export function merge(base: Fields, mine: Fields, theirs: Fields, choose: Choose = () => undefined): Merged {
  const conflicts: Conflict[] = [];
  const value = mergeFields(base, mine, theirs, [], (conflict) => {
    const side = choose(conflict);
    if (side === undefined) conflicts.push(conflict);
    return conflict[side ?? "mine"];
  });
  return { value, conflicts };
}

/** The choices that were made, for conflicts that are still the same ones. */
export function chosenOf(made: readonly { readonly conflict: Conflict; readonly side: Side }[]): Choose {
  return (conflict) => made.find((each) => isSame(each.conflict, conflict))?.side;
}

type Settle = (conflict: Conflict) => unknown;

function mergeFields(base: Fields, mine: Fields, theirs: Fields, path: readonly string[], settle: Settle): Fields {
  const merged: [string, unknown][] = [];
  for (const key of new Set([...Object.keys(mine), ...Object.keys(theirs)])) {
    const value = mergeValue(
      { path: [...path, key], base: own(base, key), mine: own(mine, key), theirs: own(theirs, key) },
      settle,
    );
    if (value !== undefined) merged.push([key, value]);
  }
  // Unlike an assignment this makes an own field of `__proto__`, too.
  return Object.fromEntries(merged);
}

function mergeValue(sides: Conflict, settle: Settle): unknown {
  const { base, mine, theirs, path } = sides;
  if (isSame(mine, theirs) || isSame(base, theirs)) return mine;
  if (isSame(base, mine)) return theirs;
  if (isFields(mine) && isFields(theirs)) return mergeFields(isFields(base) ? base : {}, mine, theirs, path, settle);
  return settle(sides);
}

function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two JSON values say the same; the order of keys says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, at) => isSame(each, other[at]));
  if (!isFields(one) || !isFields(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}
