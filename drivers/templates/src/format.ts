/** `'%02x' % 7`: the conversions of Python's formatting that publishers use. */
import { halfToEven } from "./convert.ts";
import {
  Callable,
  type Data,
  Float,
  isList,
  type Key,
  Namespace,
  numberOf,
  TemplateError,
  Undefined,
} from "./python-values.ts";

const CONVERSION = /%(?<flags>[-+ 0#]*)(?<width>\d{1,3})?(?:\.(?<precision>\d{1,2}))?(?<type>[sdifFeEgxXoc%])/g;

/** @throws TemplateError for too few values, or a value of another type */
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

/** `%#x` adds the prefix of the base. */
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

/** At most `digits` digits, with an exponent where the number is longer or smaller than 0.0001. */
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

/** @throws TemplateError for a conversion that accepts only whole numbers */
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

/**
 * `str()`: the text that a template renders, in Python's notation: `True`, `None`, `255.0`. An undefined value renders as an empty text.
 */
export function textOf(data: Data): string {
  if (typeof data === "string") return data;
  return data instanceof Undefined ? "" : written(data);
}

/** `repr()`: the notation inside a list: `['a', 1]`. */
function written(data: Data): string {
  if (data === null) return "None";
  if (typeof data === "boolean") return data ? "True" : "False";
  if (typeof data === "number") return String(data);
  if (typeof data === "string") return quoted(data);
  if (data instanceof Float) return floatText(data.number);
  if (data instanceof Map)
    return `{${[...data].map(([key, value]) => `${keyText(key)}: ${written(value)}`).join(", ")}}`;
  if (isList(data)) return `[${data.map(written).join(", ")}]`;
  if (data instanceof Namespace) return "<Namespace>";
  return data instanceof Callable ? `<function ${data.name}>` : "Undefined";
}

function keyText(key: Key): string {
  return typeof key === "number" && !Number.isInteger(key) ? floatText(key) : written(key);
}

/** The shortest digits that identify the number, with a point; with an exponent from 1e16 on and below 0.0001. */
function floatText(number: number): string {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  const size = Math.abs(number);
  if (number !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = "", exponent = ""] = number.toExponential().split("e");
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }
  const text = Object.is(number, -0) ? "-0" : String(number);
  return text.includes(".") ? text : `${text}.0`;
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(UNPRINTED, (character) => ESCAPES[character] ?? hexEscape(character));
  return `${mark}${mark === "'" ? escaped.replaceAll("'", "\\'") : escaped}${mark}`;
}

/** Characters that are escaped: the backslash and control characters. */
const UNPRINTED = /[\\\p{Cc}]/gu;

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
