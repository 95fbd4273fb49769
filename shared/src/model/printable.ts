/**
 * Makes names and texts of devices safe to print. They may hold anything; they must not move a terminal's cursor, change its title,
 * forge a row or reverse the direction of text.
 */

/**
 * Controls (C0, DEL, C1), marks that turn the direction of text, line and paragraph separators, the byte order mark, spaces without
 * width, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** The text with each unprintable character as a JSON escape: `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** JSON that is safe on a terminal: it also escapes characters that JSON.stringify leaves as they are. Parsing it yields the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? "null").replace(UNPRINTABLE, (character) =>
    // A line break between values comes from JSON.stringify itself.
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The value with every text in it made printable, for output in rows. */
export function printableValue<Value>(value: Value): Value;
export function printableValue(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map((each) => printableValue(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [printable(key), printableValue(each)]));
}

/** Makes a program's output safe: keeps its line breaks and tabs, and escapes everything else that moves a cursor. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}
