/**
 * Which text can be stored and which can be printed. Names and texts of devices may hold anything; they must not move a terminal's cursor,
 * change its title, forge a row or reverse the direction of text.
 */

/**
 * A JSON escape that can stand for unstorable text (U+0000 or a lone surrogate); a high surrogate followed by its low one is storable.
 * Requests, values of devices and messages of hubs share this one rule.
 */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;
/**
 * Matches every escape, so that the second backslash of `\\u0000` does not start one. A surrogate pair matches as a whole; the group
 * captures unstorable escapes.
 */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(0000|[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g;

/**
 * Whether every store keeps the text and every receiver can read it: no U+0000, which PostgreSQL refuses, and no lone surrogate, which
 * is no UTF-8.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The text with U+FFFD in place of each unstorable character. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
}

/**
 * Returns false when the JSON surely has no unstorable text, true when it may have. @param json decoded from UTF-8, so that lone
 * surrogates are escapes in it
 */
export function mayBeUnstorable(json: string): boolean {
  return SUSPECT.test(json);
}

/** The JSON with U+FFFD in place of unstorable characters, in keys too. @param json as for {@link mayBeUnstorable} */
export function storableJson(json: string): string {
  if (!mayBeUnstorable(json)) return json;
  return json.replace(ESCAPE, (found, unstorable?: string) => (unstorable === undefined ? found : "\\ufffd"));
}

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
