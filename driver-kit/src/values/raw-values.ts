/**
 * Reads the raw values of foreign protocols: one reader for every driver.
 *
 * A reader returns `undefined` for a member that a message does not have: the message has no information about the property. It returns
 * `null` for everything that is no value of the expected kind: a spelling of "no value", a marker of the protocol, another type. `null`
 * ends the value that the hub has; the old value must not stay.
 */
import { celsiusOf } from "./units.ts";

/** A value that was read; `null`: there is no value; `undefined`: the message has no information about it. */
export type Read<T> = T | null | undefined;

/** A decimal number, as text. */
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
/** Longest text that is read as a number. */
const LONGEST_NUMBER = 64;

/** Texts that mean that there is no value, in lower case. */
const NO_VALUE: ReadonlySet<string> = new Set([
  "",
  "-",
  "--",
  "inf",
  "infinity",
  "+inf",
  "+infinity",
  "-inf",
  "-infinity",
  "n/a",
  "na",
  "nan",
  "+nan",
  "-nan",
  "nil",
  "none",
  "null",
  "unavailable",
  "undefined",
  "unknown",
]);

/** Whether a text is one of the spellings of "no value": `unknown`, `nan`, `None` and the like, in any case. */
export function isNoValue(text: string): boolean {
  return NO_VALUE.has(text.trim().toLowerCase());
}

/**
 * A number, also as decimal text.
 * @param markers numbers that mean "no value" in the protocol, such as 65535 or -327.68
 */
export function readNumber(raw: unknown, markers: readonly number[] = []): Read<number> {
  if (raw === undefined) return undefined;
  const number = typeof raw === "string" ? numberIn(raw) : raw;
  if (typeof number !== "number" || !Number.isFinite(number) || markers.includes(number)) return null;
  // Turns the negative zero of a rounded small number into zero.
  return number + 0;
}

/** A number in a text of decimal digits; undefined for any other text. */
export function numberIn(text: string): number | undefined {
  const trimmed = text.length <= LONGEST_NUMBER ? text.trim() : "";
  if (!NUMBER.test(trimmed)) return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}

/** A text; `null` for a spelling of "no value". */
export function readText(raw: unknown): Read<string> {
  if (raw === undefined) return undefined;
  return typeof raw === "string" && !isNoValue(raw) ? raw : null;
}

/** A boolean, also as `ON` and `OFF`, `true` and `false`, `yes` and `no`, 1 and 0. */
export function readBoolean(raw: unknown): Read<boolean> {
  return readEither(raw, YES, NO);
}

const YES: readonly RawWord[] = [true, 1, "true", "on", "yes", "1"];
const NO: readonly RawWord[] = [false, 0, "false", "off", "no", "0"];

/** A word, number or boolean of a protocol. Words are compared without regard to case. */
export type RawWord = string | number | boolean;

/**
 * A boolean from an enumeration with words for yes and words for no. Every other word is no value: a lock in a state that the list does
 * not have is not "not locked".
 */
export function readEither(raw: unknown, yes: readonly RawWord[], no: readonly RawWord[]): Read<boolean> {
  if (raw === undefined) return undefined;
  if (includes(yes, raw)) return true;
  return includes(no, raw) ? false : null;
}

/** One of the property's values, by the words of the protocol; every other word is no value. */
export function readOneOf<T>(raw: unknown, pairs: readonly (readonly [RawWord, T])[]): Read<T> {
  if (raw === undefined) return undefined;
  const found = pairs.find(([word]) => isSameWord(word, raw));
  return found ? found[1] : null;
}

function includes(words: readonly RawWord[], raw: unknown): boolean {
  return words.some((word) => isSameWord(word, raw));
}

/** A number matches its decimal text too: many firmwares send one for the other. */
function isSameWord(word: RawWord, raw: unknown): boolean {
  if (typeof raw !== "string") return word === raw;
  const text = raw.trim();
  return typeof word === "number" ? numberIn(text) === word : text.toLowerCase() === String(word).toLowerCase();
}

/** Fraction of the range by which a share may exceed it through rounding: 255 of 254. */
const ROUNDING = 0.005;

/**
 * A quantity that cannot be outside its range: a position, a level, a hue. A value that exceeds the range by rounding becomes the end of
 * the range; everything further outside is no value.
 */
export function readShare(value: Read<number>, min: number, max: number): Read<number> {
  if (value === null || value === undefined) return value;
  const slack = (max - min) * ROUNDING;
  return value < min - slack || value > max + slack ? null : Math.min(max, Math.max(min, value));
}

/**
 * A level of 0 to `full` as a percentage.
 * @param markers see {@link readNumber}
 */
export function readPercent(raw: unknown, full = 100, markers: readonly number[] = []): Read<number> {
  const share = readShare(readNumber(raw, markers), 0, full);
  return typeof share === "number" ? withoutNoise((share * 100) / full) : share;
}

/** Range of the catalogue's colour temperatures, K. */
const WARMEST = 1000;
const COLDEST = 10_000;

/** A colour temperature in mired, as whole kelvin. 0, 65535 and values that no lamp has are no value. */
export function readMired(raw: unknown): Read<number> {
  const mired = readNumber(raw);
  if (mired === null || mired === undefined) return mired;
  if (mired <= 0) return null;
  return readShare(Math.round(1_000_000 / mired), WARMEST, COLDEST);
}

const CELSIUS: ReadonlySet<string> = new Set(["°c", "c", "ºc", "℃", "celsius", "degc"]);
const FAHRENHEIT: ReadonlySet<string> = new Set(["°f", "f", "ºf", "℉", "fahrenheit", "degf"]);
const KELVIN: ReadonlySet<string> = new Set(["k", "°k", "kelvin"]);

/** A scale of temperatures. */
export type TemperatureScale = "celsius" | "fahrenheit" | "kelvin";

/** The scale that a unit names; undefined for an unknown unit: a temperature in it is no value. */
export function temperatureScale(unit: unknown): TemperatureScale | undefined {
  const text = typeof unit === "string" ? unit.trim().toLowerCase() : "";
  if (CELSIUS.has(text)) return "celsius";
  if (FAHRENHEIT.has(text)) return "fahrenheit";
  return KELVIN.has(text) ? "kelvin" : undefined;
}

const ABSOLUTE_ZERO = -273.15;

/** A temperature in °C. Without a known scale, or below absolute zero, it is no value. */
export function readCelsius(raw: unknown, scale: TemperatureScale | undefined): Read<number> {
  const value = readNumber(raw);
  if (value === null || value === undefined) return value;
  if (scale === undefined) return null;
  const celsius = scale === "celsius" ? value : scale === "kelvin" ? value + ABSOLUTE_ZERO : celsiusOf(value);
  return celsius < ABSOLUTE_ZERO ? null : withoutNoise(celsius);
}

/** Removes the digits that binary fractions and conversions add: 0.30000000000000004 becomes 0.3. */
export function withoutNoise(number: number): number {
  return Number(number.toPrecision(12)) + 0;
}
