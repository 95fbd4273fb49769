/** How much a JSON text holds, by its bytes alone: it is looked at before it is parsed, so that a small body cannot become many objects. */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const OPEN_ARRAY = 91;
const CLOSE_OBJECT = 125;
const CLOSE_ARRAY = 93;

export interface JsonLimits {
  /** Deepest nesting, levels. */
  readonly depth: number;
  /** Most values: members and elements, and one for each object or array. */
  readonly values: number;
}

export interface JsonMeasure {
  /** Members of all objects. */
  readonly members: number;
  /** The limit that was passed; the rest has not been looked at. */
  readonly past: keyof JsonLimits | undefined;
  /** Where the key of the outermost object stands in which it was passed, quotes included; empty in none. */
  readonly key: readonly [start: number, end: number];
}

/** @param bytes UTF-8; what is no JSON has a measure too, and fails when it is parsed */
export function measureJson(bytes: Uint8Array, limits: JsonLimits): JsonMeasure {
  let [members, values, depth] = [0, 1, 0];
  let string: JsonMeasure["key"] = [0, 0];
  let key = string;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = endOfString(bytes, at);
        if (depth === 1) string = [at, end + 1];
        at = end;
        break;
      }
      case COLON:
        members += 1;
        if (depth === 1) key = string;
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        values += 1;
        if (++depth > limits.depth) return { members, past: "depth", key };
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        break;
    }
    if (values > limits.values) return { members, past: "values", key };
  }
  return { members, past: undefined, key };
}

/** Where the string that begins at `at` has its closing quote; the end of the text when it has none. */
function endOfString(bytes: Uint8Array, at: number): number {
  for (let end = at + 1; end < bytes.length; end++) {
    const code = bytes[end];
    if (code === BACKSLASH) end += 1;
    else if (code === QUOTE) return end;
  }
  return bytes.length;
}
