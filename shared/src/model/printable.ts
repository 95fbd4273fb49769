/** Names and texts of devices may hold anything; nothing of them may move a terminal's cursor, change its title, forge a row or turn its text around. */

/**
 * Controls (C0, DEL, C1), marks that turn the direction of text, line and paragraph separators, the byte order mark, spaces without
 * width, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** The text with each such character written out, as JSON would: `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** JSON that a terminal shows as it is: what its own escapes leave out is escaped as well. Parsed, it is the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return (JSON.stringify(value, null, indent) ?? "null").replace(UNPRINTABLE, (character) =>
    // Between the values, where JSON breaks lines.
    character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The value with every text in it printable, for what is shown in rows. */
export function printableValue<Value>(value: Value): Value;
export function printableValue(value: unknown): unknown {
  if (typeof value === "string") return printable(value);
  if (Array.isArray(value)) return value.map((each) => printableValue(each));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [printable(key), printableValue(each)]));
}

/** What a program writes, line by line: of its own are the line breaks and tabs, and nothing else that moves a cursor. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}
