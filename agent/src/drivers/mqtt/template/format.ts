/** `'%02x' % 7`: the conversions of Python's formatting that publishers use. */

import { halfToEven } from "./convert.ts";
import { textOf } from "./python-text.ts";
import { type Data, numberOf, TemplateError } from "./python-values.ts";

const CONVERSION = /%(?<flags>[-+ 0#]*)(?<width>\d{1,3})?(?:\.(?<precision>\d{1,2}))?(?<type>[sdifFeEgxXoc%])/g;

/** @throws TemplateError for too few values, or one of another type */
export function formatted(pattern: string, values: readonly Data[]): string {
  const left = [...values];
  const text = pattern.replace(CONVERSION, (...match) => {
    const groups: Readonly<Record<string, string | undefined>> = match.at(-1);
    const { flags = "", width, precision, type = "s" } = groups;
    if (type === "%") return "%";
    if (left.length === 0) throw new TemplateError("there are fewer values than the format takes");
    const value = left.shift() ?? null;
    return padded(
      converted(type, value, precision === undefined ? undefined : Number(precision)),
      flags,
      Number(width ?? 0),
    );
  });
  if (left.length > 0) throw new TemplateError("there are more values than the format takes");
  return text;
}

function converted(type: string, value: Data, precision: number | undefined): string {
  if (type === "s") return textOf(value).slice(0, precision);
  const number = numberOf(value);
  if (number === undefined) throw new TemplateError(`%${type} takes a number`);
  switch (type) {
    case "d":
    case "i":
      return String(Math.trunc(number));
    case "f":
    case "F":
      return halfToEven(number, precision ?? 6).toFixed(precision ?? 6);
    case "e":
    case "E":
      return number.toExponential(precision ?? 6).replace(/e([-+])(\d)$/, "e$10$2");
    case "g":
      return String(Number(number.toPrecision(Math.max(1, precision ?? 6))));
    case "x":
      return Math.trunc(number).toString(16);
    case "X":
      return Math.trunc(number).toString(16).toUpperCase();
    case "o":
      return Math.trunc(number).toString(8);
    default:
      return String.fromCodePoint(Math.max(0, Math.min(0x10ffff, Math.trunc(number))));
  }
}

function padded(text: string, flags: string, width: number): string {
  const signed = flags.includes("+") && /^\d/.test(text) ? `+${text}` : text;
  if (flags.includes("-")) return signed.padEnd(width);
  if (!flags.includes("0")) return signed.padStart(width);
  const [sign = ""] = /^[-+]/.exec(signed) ?? [];
  return sign + signed.slice(sign.length).padStart(width - sign.length, "0");
}
