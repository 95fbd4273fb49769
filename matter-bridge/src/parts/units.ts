/** Values of the hub in the units of Matter, and back: pure, each bounded by what the attribute can hold. */
import type { DescribedProperty } from "@porchlight/shared/model";
import type { Values } from "./part.ts";

/** Matter's level of full. */
export const FULL = 254;

/** The number of a property; undefined while there is none. */
export function numberOf(values: Values, property: DescribedProperty | undefined): number | undefined {
  const value = property && values.value(property.key);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Whether a property is true; false while it is not known, where Matter has no word for unknown. */
export function isTrue(values: Values, property: DescribedProperty | undefined): boolean {
  return property !== undefined && values.value(property.key) === true;
}

export function bounded(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** A whole number between bounds; `null`, which is Matter's unknown, when there is none. */
export function whole(value: number | undefined, least: number, most: number): number | null {
  return value === undefined ? null : bounded(Math.round(value), least, most);
}

/** Percent to 1 … 254: what is not off is never told as less than the least level. */
export function levelOf(percent: number, full = 100): number {
  return bounded(Math.round((percent / full) * FULL), 1, FULL);
}

/** 0 … 254 to percent, to a tenth: as a person would have typed it. */
export function percentOf(level: number, full = 100): number {
  return Math.round((level / FULL) * full * 10) / 10;
}

export function miredsOf(kelvin: number): number {
  return Math.round(1_000_000 / kelvin);
}

export const kelvinOf = miredsOf;

/** A number as the property takes it: within its bounds, on its step, whole if it is an integer. */
export function fitted(value: number, { description }: DescribedProperty): number {
  const { min = -Infinity, max = Infinity, step, type } = description;
  const from = Number.isFinite(min) ? min : 0;
  const stepped = step === undefined ? value : from + Math.round((value - from) / step) * step;
  const within = bounded(type === "integer" ? Math.round(stepped) : stepped, min, max);
  // What steps add up to in binary is not what they are in decimals.
  return Number(within.toFixed(6));
}
