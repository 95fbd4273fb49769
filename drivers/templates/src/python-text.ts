/** How Python prints values: `True`, `None`, `255.0`, `['a', 1]`. */
import { Callable, type Data, Float, isList, type Key, Namespace, Undefined } from "./python-values.ts";

/** `str()`: what a template writes. What is undefined is written as nothing. */
export function textOf(data: Data): string {
  if (typeof data === "string") return data;
  return data instanceof Undefined ? "" : written(data);
}

/** `repr()`: as it stands inside of a list. */
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

/** The shortest digits that say it, with a point; with an exponent from 1e16 on and below 0.0001. */
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

/** The backslash, and controls. */
const UNPRINTED = /[\\\p{Cc}]/gu;

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
