/**
 * Checks the nesting of a JSON text before it is parsed: JSON.parse accepts a hundred thousand levels, and takes fifty times as long
 * for them.
 */

const QUOTE = 34;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Whether the text nests arrays and objects deeper than `levels`. For a text that is not JSON, the answer is arbitrary. */
export function nestsDeeper(text: string, levels: number): boolean {
  // Each level takes two characters, and most texts have fewer opening ones than `levels`.
  if (text.length <= 2 * levels || !opensMore(text, levels)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfJsonString(text, at);
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (++depth > levels) return true;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        break;
    }
  }
  return false;
}

/** Whether the text has more than `levels` opening brackets and braces, including those in strings. */
function opensMore(text: string, levels: number): boolean {
  let left = levels;
  for (const opening of ["{", "["])
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) if (--left < 0) return true;
  return false;
}

/**
 * Position of the closing quote of the JSON string that begins at `at`; `limit` or more when there is none before it.
 * @param limit a position in the text
 */
export function endOfJsonString(text: string, at: number, limit: number = text.length): number {
  let end = at + 1;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) break;
  }
  return end;
}
