/** Three-way merge of JSON objects: a change on one side is applied, different changes on both sides are a conflict. Pure. */

export type Fields = Readonly<Record<string, unknown>>;
export type Side = "mine" | "theirs";

/** A field that both sides changed differently. An absent value is undefined. */
export interface Conflict {
  /** Keys from the outermost to the innermost. */
  readonly path: readonly string[];
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

interface Merged {
  readonly value: Fields;
  readonly conflicts: readonly Conflict[];
}

/** The side whose value resolves a conflict; undefined while the user has not decided. */
export type Choose = (conflict: Conflict) => Side | undefined;

/**
 * Merges objects recursively, field by field; any other value, including an array, is a unit.
 * @param base the version that both sides started from
 * @returns the merged object with the undecided conflicts, for which it contains `mine`
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

/** The user's choices, applied to the conflicts that are unchanged. */
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
  // Creates an own property for `__proto__`, which an assignment does not.
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

/** Whether two JSON values are equal; the order of keys is irrelevant. */
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
