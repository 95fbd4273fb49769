/**
 * Converts between a property's value and its form in a message: one codec for each form that several dialects use. Values are read by
 * the kit's readers: everything that is no value of the property becomes `null`, which ends the previous value.
 */
import {
  levelOf,
  type RawWord,
  type Read,
  readEither,
  readMired,
  readNumber,
  readOneOf,
  readPercent,
  readShare,
  readText,
  reciprocalMegakelvin,
  withoutNoise,
} from "@porchlight/driver-kit";
import { hasType, type PropertyDescription, type Value } from "@porchlight/shared/model";

export interface Codec {
  /** Reads a member of a message; undefined when the message does not have it, `null` when it is no value. Never throws. */
  readonly read: (raw: unknown) => Read<Value>;
  /** The member that represents this value; absent where the property cannot be set. */
  readonly write?: ((value: Value) => unknown) | undefined;
  /** Maximum difference between a confirmed number and the one that was set. */
  readonly tolerance?: number | undefined;
}

/** Two members that stand for true and false, of any type; text in any case. Every other member is no value. */
export function booleanCodec(on: RawWord, off: RawWord): Codec {
  return {
    read: (raw) => readEither(asText(raw), [on], [off]),
    write: (value) => (value === true ? on : off),
  };
}

/** A word that is declared as the text `true` or `1` may also be sent as the boolean or the number. */
function asText(raw: unknown): unknown {
  return typeof raw === "boolean" || typeof raw === "number" ? String(raw) : raw;
}

/**
 * Numbers in another unit.
 * @param factor number of the property's units in one of the device's
 * @param step in the device's unit; 0: not known
 * @param markers the device's numbers that mean "no value"
 */
export function numberCodec(factor = 1, step = 0, markers: readonly number[] = []): Codec {
  return {
    read: (raw) => scaled(readNumber(raw, markers), factor),
    write: (value) => (typeof value === "number" && factor !== 1 ? withoutNoise(value / factor) : value),
    tolerance: (Math.abs(step * factor) || 1e-6) / 2,
  };
}

function scaled(number: Read<number>, factor: number): Read<number> {
  return typeof number === "number" && factor !== 1 ? withoutNoise(number * factor) : number;
}

/** Levels of 0 to `full`, as a percentage. */
export function levelCodec(full: number): Codec {
  return {
    read: (raw) => readPercent(raw, full),
    write: (value) => (typeof value === "number" ? levelOf(value, full) : undefined),
    tolerance: 100 / full,
  };
}

/**
 * Numbers that cannot be outside their range.
 * @param seen converts the device's number to the property's value, and back
 */
export function shareCodec(
  min: number,
  max: number,
  seen: (number: number) => number = (same) => same,
  step = 0,
): Codec {
  return {
    read: (raw) => {
      const share = readShare(readNumber(raw), min, max);
      return typeof share === "number" ? seen(share) : share;
    },
    write: (value) => (typeof value === "number" ? seen(value) : undefined),
    tolerance: (step || 1e-6) / 2,
  };
}

/** Colour temperatures in mired, as kelvin. */
export function miredCodec(coolest: number): Codec {
  return {
    read: readMired,
    write: (value) => (typeof value === "number" ? reciprocalMegakelvin(value) : undefined),
    // At the highest colour temperature, one mired is the most kelvin: half of it is the tolerance.
    tolerance: Math.ceil(1_000_000 / (coolest * coolest) / 2) + 1,
  };
}

/** Words, by pairs of the device's word and the property's. Every other word is no value. */
export function wordsCodec(pairs: readonly (readonly [string, string])[]): Codec {
  const toDevice = new Map(pairs.map(([device, property]) => [property, device]));
  return {
    read: (raw) => readOneOf(raw, pairs),
    write: (value) => (typeof value === "string" ? toDevice.get(value) : undefined),
  };
}

/** Unchanged values, if they have the described type and are among the described values. */
export function plainCodec(description: PropertyDescription): Codec {
  const pairs = description.values?.map((value) => [value, value] as const);
  return {
    read: (raw) => {
      if (pairs) return readOneOf(raw, pairs);
      if (description.type === "string") return readText(raw);
      if (!isJson(raw)) return undefined;
      return hasType(description, raw) ? raw : null;
    },
    write: (value) => value,
  };
}

function isJson(raw: unknown): raw is Value {
  return raw !== undefined;
}
