/**
 * Text that every store keeps and every receiver can read: Unicode without U+0000. Its own file because requests, values of devices and
 * messages of hubs have this one rule, and none may have another.
 */

/** An escape of JSON that can stand for what is not storable. A high surrogate whose low one follows is a character like any other. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/;
/** Every escape, so that the second backslash of `\\u0000` does not begin one. A pair is whole; the group has what is not storable. */
const ESCAPE =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(0000|[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g;

/** Whether the text has neither U+0000, which PostgreSQL refuses, nor a lone surrogate, which is no UTF-8. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The text with U+FFFD in the place of what is not storable. */
export function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** False when no text in the JSON is unstorable; true when one may be. @param json decoded from UTF-8: lone surrogates are escapes in it */
export function mayBeUnstorable(json: string): boolean {
  return SUSPECT.test(json);
}

/** The JSON with U+FFFD in the place of what is not storable, in keys too. @param json as of {@link mayBeUnstorable} */
export function storableJson(json: string): string {
  if (!mayBeUnstorable(json)) return json;
  return json.replace(ESCAPE, (found, unstorable?: string) => (unstorable === undefined ? found : "\\ufffd"));
}
