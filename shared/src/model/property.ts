/** What a property is and which values it can have: the descriptor of the API, used alike on hub, tunnel and cloud. */
import { MAX_VALUE_BYTES, MAX_VALUE_DEPTH, valueBreach } from "./bounded-value.ts";
import { limitProblem, type PropertyDescription } from "./property-schema.ts";

/** Any JSON value. `null` stands for "no value at present". */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** Whether a value has the described type, without its range: what a device may say of itself. */
export function hasType(description: PropertyDescription, value: Value): boolean {
  switch (description.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "string":
      return typeof value === "string";
    case "json":
      return value !== null;
  }
}

/** Why a client may not set this value, in a sentence; undefined when it may. */
export function valueProblem(description: PropertyDescription, value: Value): string | undefined {
  const { type, values } = description;
  if (!hasType(description, value)) return `The value must be of type ${type}.`;
  const broken = typeof value === "number" ? limitProblem(description, value) : undefined;
  if (broken) return broken;
  if (values && !values.some((allowed) => allowed === value)) return `The value must be one of ${values.join(", ")}.`;
  const breach = valueBreach(value);
  if (breach === "bad_text") return "The value has a character that is not allowed in text.";
  if (breach === "too_deep") return `The value is nested deeper than ${MAX_VALUE_DEPTH} levels.`;
  return breach && `The value is larger than ${MAX_VALUE_BYTES} bytes.`;
}

/** Deep equality of JSON values; object keys in any order. */
export function valuesEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = b as Readonly<Record<string, Value>>;
  return (
    left.length === Object.keys(right).length &&
    left.every(([key, value]) => Object.hasOwn(right, key) && valuesEqual(value, right[key] ?? null))
  );
}

/**
 * In the place of the time at which a value was observed: somebody, a broker for instance, has kept it since an unknown time. Of such a
 * value it is not known either when it last changed.
 */
export const UNKNOWN_TIME = -1;
