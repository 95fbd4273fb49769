/** How deep a JSON text nests, told before it is parsed: JSON.parse takes a hundred thousand levels, and fifty times as long for them. */

const QUOTE = 34;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Whether it has more arrays and objects inside each other than so many. Of a text that is no JSON, any answer. */
export function nestsDeeper(text: string, levels: number): boolean {
  // Each level takes two characters, and most texts have not as many that open one.
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

/** Whether there are more brackets and braces that open than so many, also within strings. */
function opensMore(text: string, levels: number): boolean {
  let left = levels;
  for (const opening of ["{", "["])
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1)) if (--left < 0) return true;
  return false;
}

/**
 * Where the JSON string that begins at `at` has its closing quote; `limit`, or beyond it, when it has none before.
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
