/** What the service sent may hold anything; nothing of it may move a terminal's cursor, change its title or turn its text around. */

/** Controls (C0, DEL, C1), marks that turn the direction of text, line and paragraph separators, the byte order mark, lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

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
