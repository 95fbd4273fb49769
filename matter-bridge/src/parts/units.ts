/** Converts values between the hub's and Matter's units, within the limits of the attribute. Pure. */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { Values } from "./part.ts";

/** Matter's full level. */
export const FULL = 254;

/** Value of a numeric property; undefined while there is none. */
export function numberOf(values: Values, property: DescribedProperty | undefined): number | undefined {
  const value = property && values.value(property.key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Whether a property is true; false while it is unknown, because Matter has no value for unknown here. */
export function isTrue(values: Values, property: DescribedProperty | undefined): boolean {
  return property !== undefined && values.value(property.key) === true;
}

export function bounded(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** Rounds to a whole number within limits; `null`, Matter's unknown, for undefined. */
export function whole(value: number | undefined, least: number, most: number): number | null {
  return value === undefined ? null : bounded(Math.round(value), least, most);
}

/** Converts percent to 1 … 254; a lamp that is on has at least level 1. */
export function levelOf(percent: number, full = 100): number {
  return bounded(Math.round((percent / full) * FULL), 1, FULL);
}

/** Converts 0 … 254 to percent, rounded to a tenth, as a person would enter it. */
export function percentOf(level: number, full = 100): number {
  return Math.round((level / FULL) * full * 10) / 10;
}

export function miredsOf(kelvin: number): number {
  return Math.round(1_000_000 / kelvin);
}

export const kelvinOf = miredsOf;

/** Adjusts a number to the property: within its limits, on its step, whole for an integer. */
export function fitted(value: number, { description }: DescribedProperty): number {
  const { min = -Infinity, max = Infinity, step, type } = description;
  const from = Number.isFinite(min) ? min : 0;
  const stepped = step === undefined ? value : from + Math.round((value - from) / step) * step;
  const within = bounded(type === "integer" ? Math.round(stepped) : stepped, min, max);
  // Removes the rounding error of binary steps.
  return Number(within.toFixed(6));
}
