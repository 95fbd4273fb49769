/** How a property's value stands in the JSON of a message: one codec for each way that several dialects use. */
import { hasType, type PropertyDescription, type Value } from "@porchlight/shared/model";
import { levelOf, percentOf, reciprocalMegakelvin } from "../../kit/index.ts";

export interface Codec {
  /** What a member of a message says; undefined when it says nothing of the property. Never throws. */
  readonly read: (json: unknown) => Value | undefined;
  /** The member that says this value; left out where the property cannot be set. */
  readonly write?: ((value: Value) => unknown) | undefined;
  /** How far a confirmed number may be from the one that was set. */
  readonly tolerance?: number | undefined;
}

/** Two members that stand for true and false, of any type; text in any case. */
export function booleanCodec(on: unknown, off: unknown): Codec {
  const same = (a: unknown, b: unknown) => a === b || (isText(a) && isText(b) && a.toLowerCase() === b.toLowerCase());
  return {
    read: (json) => (same(json, on) ? true : same(json, off) ? false : orNone(json)),
    write: (value) => (value === true ? on : off),
  };
}

/** Numbers in another unit: `factor` of the property's for one of the device's. */
export function numberCodec(factor = 1, step = 0): Codec {
  const scale = (value: number) => (factor === 1 ? value : rounded(value * factor));
  return {
    read: (json) => (isNumber(json) ? scale(json) : orNone(json)),
    write: (value) => (isNumber(value) && factor !== 1 ? rounded(value / factor) : value),
    tolerance: (Math.abs(step * factor) || 1e-6) / 2,
  };
}

/** Levels of 0 to `full`, as a percentage. */
export function levelCodec(full: number): Codec {
  return {
    read: (json) => (isNumber(json) ? rounded(percentOf(json, full)) : orNone(json)),
    write: (value) => (isNumber(value) ? levelOf(value, full) : undefined),
    tolerance: 100 / full,
  };
}

/** Colour temperatures in mired, as kelvin. */
export function miredCodec(coolest: number): Codec {
  return {
    read: (json) => (isNumber(json) && json > 0 ? reciprocalMegakelvin(json) : orNone(json)),
    write: (value) => (isNumber(value) ? reciprocalMegakelvin(value) : undefined),
    // Half a mired where a mired is most kelvin.
    tolerance: Math.ceil(1_000_000 / (coolest * coolest) / 2) + 1,
  };
}

/** Words of the device, as words of the property: pairs of both. */
export function wordsCodec(pairs: readonly (readonly [string, string])[]): Codec {
  const toProperty = new Map(pairs);
  const toDevice = new Map(pairs.map(([device, property]) => [property, device]));
  return {
    read: (json) => (isText(json) ? toProperty.get(json) : orNone(json)),
    write: (value) => (isText(value) ? toDevice.get(value) : undefined),
  };
}

/** As it is, when it is of the described type. */
export function plainCodec(description: PropertyDescription): Codec {
  return {
    read: (json) => {
      if (!isJson(json)) return undefined;
      return json === null || hasType(description, json) ? json : undefined;
    },
    write: (value) => value,
  };
}

function isJson(json: unknown): json is Value {
  return json !== undefined;
}

/** `null` says that there is no value; everything else that does not fit says nothing. */
function orNone(json: unknown): null | undefined {
  return json === null ? null : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Without what binary fractions add: 0.30000000000000004 is 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
