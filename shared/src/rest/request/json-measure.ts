/**
 * How much a JSON text holds: it is looked at before it is parsed, so that a small body cannot become many objects. The depth of a tunnel's
 * message has its own loop in the kernel: one loop for both makes each message slower.
 */
import { endOfJsonString } from "../../kernel/index.ts";

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
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

/** @param text what is no JSON has a measure too, and fails when it is parsed */
export function measureJson(text: string, limits: JsonLimits): JsonMeasure {
  let [members, values, depth] = [0, 1, 0];
  let string: JsonMeasure["key"] = [0, 0];
  let key = string;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfJsonString(text, at);
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
