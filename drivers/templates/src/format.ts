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
    if (left.length === 0) throw new TemplateError("there are fewer values than the format needs");
    const value = left.shift() ?? null;
    return padded(
      prefixed(converted(type, value, precision === undefined ? undefined : Number(precision)), type, flags),
      flags,
      Number(width ?? 0),
    );
  });
  if (left.length > 0) throw new TemplateError("there are more values than the format needs");
  return text;
}

const PREFIXES: Readonly<Record<string, string>> = { x: "0x", X: "0X", o: "0o" };

/** `%#x` says the base. */
function prefixed(text: string, type: string, flags: string): string {
  const prefix = flags.includes("#") ? (PREFIXES[type] ?? "") : "";
  return text.startsWith("-") ? `-${prefix}${text.slice(1)}` : prefix + text;
}

function converted(type: string, value: Data, precision: number | undefined): string {
  if (type === "s") return precision === undefined ? textOf(value) : [...textOf(value)].slice(0, precision).join("");
  const number = numberOf(value);
  if (number === undefined) throw new TemplateError(`%${type} takes a number`);
  if (!Number.isFinite(number)) return notFinite(type, number);
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
      return shortest(number, Math.max(1, precision ?? 6));
    case "x":
      return Math.trunc(number).toString(16);
    case "X":
      return Math.trunc(number).toString(16).toUpperCase();
    case "o":
      return Math.trunc(number).toString(8);
    default:
      return character(number);
  }
}

/** So many digits at most, with an exponent where the number is longer than these or smaller than 0.0001. */
function shortest(number: number, digits: number): string {
  const [, exponent = "0"] = number.toExponential(digits - 1).split("e");
  const size = Number(exponent);
  if (number === 0 || (size >= -4 && size < digits)) return String(Number(number.toPrecision(digits)));
  const [mantissa = ""] = number.toExponential(digits - 1).split("e");
  return `${Number(mantissa)}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
}

function character(code: number): string {
  if (!Number.isInteger(code) || code < 0 || code > 0x10ffff)
    throw new TemplateError("%c takes the code of a character");
  return String.fromCodePoint(code);
}

/** @throws TemplateError for what takes whole numbers only */
function notFinite(type: string, number: number): string {
  if (!"fFeEgG".includes(type)) throw new TemplateError(`%${type} takes a finite number`);
  return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

function padded(text: string, flags: string, width: number): string {
  const signed = flags.includes("+") && /^\d/.test(text) ? `+${text}` : text;
  if (flags.includes("-")) return signed.padEnd(width);
  if (!flags.includes("0")) return signed.padStart(width);
  const [sign = ""] = /^[-+]/.exec(signed) ?? [];
  return sign + signed.slice(sign.length).padStart(width - sign.length, "0");
}
