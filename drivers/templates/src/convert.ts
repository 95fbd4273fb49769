/** `int()`, `float()`, `bool()` and rounding, as in Python and Home Assistant. */
import { type Data, Float, numberOf, numeric, TemplateError } from "./python-values.ts";

const FLOAT = /^[-+]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const NOT_FINITE = /^([-+]?)(?:(inf(?:inity)?)|nan)$/i;

/** Undefined for a value that is no number. */
export function floatOf(data: Data): number | undefined {
  if (typeof data !== "string") return numberOf(data);
  const text = data.trim();
  if (FLOAT.test(text)) return Number(text.replaceAll("_", ""));
  const [whole, sign, infinite] = NOT_FINITE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (infinite === undefined) return Number.NaN;
  return sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/**
 * Rounds toward zero; parses a text in this base. Undefined for a value that is no number.
 * @throws TemplateError for a number that is too large
 */
export function integerOf(data: Data, base = 10): number | undefined {
  const number = typeof data === "string" ? (wholeText(data, base) ?? floatOf(data)) : numberOf(data);
  if (number === undefined || !Number.isFinite(number)) return undefined;
  const whole = Math.trunc(number);
  if (!Number.isSafeInteger(whole)) throw new TemplateError("the number is too large");
  return whole + 0;
}

const PREFIXES: Readonly<Record<number, RegExp>> = { 16: /^0x/i, 8: /^0o/i, 2: /^0b/i };

function wholeText(text: string, base: number): number | undefined {
  const [, sign = "", body = ""] = /^([-+]?)(.+)$/.exec(text.trim()) ?? [];
  const prefix = PREFIXES[base];
  const digits = (prefix ? body.replace(prefix, "") : body).replace(/(?<=\w)_(?=\w)/g, "");
  const last = base <= 10 ? `[0-${base - 1}]` : `[0-9a-${String.fromCharCode(86 + base)}]`;
  if (base < 2 || base > 36 || !new RegExp(`^${last}+$`, "i").test(digits)) return undefined;
  const number = Number.parseInt(digits, base);
  return sign === "-" ? -number : number;
}

/** Home Assistant's `bool`: it also accepts the words of switches. Undefined for a value that is no boolean. */
export function booleanOf(data: Data): boolean | undefined {
  if (typeof data === "boolean") return data;
  const number = numberOf(data);
  if (number !== undefined) return number !== 0;
  if (typeof data !== "string") return undefined;
  const word = data.trim().toLowerCase();
  if (["1", "true", "yes", "on", "enable"].includes(word)) return true;
  return ["0", "false", "no", "off", "disable"].includes(word) ? false : undefined;
}

/** Home Assistant's `round`: an integer for 0 digits, a float otherwise. */
export function roundedTo(number: number, digits: number, method: string): Data {
  const scale = 10 ** digits;
  const rounded = ROUNDINGS[method]?.(number, scale) ?? halfToEven(number, digits);
  return digits === 0 ? numeric(Math.trunc(rounded)) : new Float(rounded);
}

const ROUNDINGS: Readonly<Record<string, (number: number, scale: number) => number>> = {
  ceil: (number, scale) => Math.ceil(number * scale) / scale,
  floor: (number, scale) => Math.floor(number * scale) / scale,
  half: (number) => halfToEven(number * 2, 0) / 2,
};

/** Python's `round`: a tie goes to the even neighbour, decided on the exact binary value, as `toFixed` does. */
export function halfToEven(number: number, digits: number): number {
  if (!Number.isFinite(number) || Math.abs(number) >= 1e21 || Math.abs(digits) > 15) return number;
  if (digits < 0) return halfToEven(number / 10 ** -digits, 0) * 10 ** -digits;
  const size = Math.abs(number);
  const exact = size.toFixed(digits + 60);
  const cut = exact.indexOf(".") + 1 + digits;
  const kept = exact.slice(0, cut).replace(/\.$/, "");
  const isTie = /^50*$/.test(exact.slice(cut));
  const isEven = Number(kept.at(-1)) % 2 === 0;
  return Math.sign(number) * Number(isTie && isEven ? kept : size.toFixed(digits));
}
