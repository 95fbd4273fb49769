/**
 * Parses a large JSON text in slices, so that the event loop can turn between them. A slice is several whole items of an array, or
 * members of an object. The result equals that of `parseRawJson` for the whole text, at the cost of one more scan.
 */
import { endOfJsonString } from "@porchlight/shared/kernel";
import { MAX_VALUE_DEPTH } from "@porchlight/shared/model";
import { isMendable, mendedJson } from "../values/raw-json.ts";
import type { Work } from "./loop-turns.ts";

/** Size of a slice, characters. */
const SLICE = 64 * 1024;
/** Maximum length of a string or number, characters: it cannot be split. */
const LONGEST_SCALAR = 1024 * 1024;
/** Maximum number of items or members of an array or object longer than a slice: all of them move in memory as it grows. */
const MOST_ITEMS = 100_000;
const MOST_MEMBERS = 50_000;
/** Number of characters that are parsed in one step. */
const CHARACTERS_OF_STEP = 250;
/** Number of items or members that are copied in one step. */
const ITEMS_OF_STEP = 10;

const BARE = /[^\t\n\r ,:[\]{}"]*/y;
const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32];
const [QUOTE, COMMA, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 44, 91, 93, 123, 125];

/** The text has a string, an array or an object that is too large, or nests too deep; the message states which. */
export class JsonOutOfBounds extends Error {}

/**
 * @param slice maximum size of a slice, characters
 * @throws SyntaxError for invalid JSON; JsonOutOfBounds
 */
export function* jsonInTurns(text: string, slice: number = SLICE): Work<unknown> {
  try {
    return yield* new JsonText(text, slice).whole();
  } catch (failure) {
    if (!(failure instanceof SyntaxError && isMendable(text))) throw failure;
    return yield* new JsonText(yield* mendedJson(text), slice).whole();
  }
}

/** Where a slice ends: before the bracket that closes its container, or before a comma. */
interface SliceEnd {
  readonly at: number;
  readonly isLast: boolean;
}

class JsonText {
  readonly #text: string;
  readonly #slice: number;
  #at = 0;

  constructor(text: string, slice: number) {
    this.#text = text;
    this.#slice = slice;
  }

  *whole(): Work<unknown> {
    const value = yield* this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  *#value(level: number): Work<unknown> {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    if (code === OPEN_ARRAY) return yield* this.#array(level + 1);
    if (code === OPEN_OBJECT) return yield* this.#object(level + 1);
    const begin = this.#at;
    if (code === QUOTE) this.#at = this.#endOfString(begin) + 1;
    else this.#skipBare();
    const length = this.#at - begin;
    if (length > LONGEST_SCALAR) throw tooLong();
    const value: unknown = JSON.parse(this.#text.slice(begin, this.#at));
    yield length / CHARACTERS_OF_STEP;
    return value;
  }

  *#array(level: number): Work<unknown[]> {
    const items: unknown[] = [];
    this.#at += 1;
    for (;;) {
      const end = this.#sliceEnd(level, CLOSE_ARRAY);
      if (end) {
        const part: unknown = JSON.parse(`[${this.#text.slice(this.#at, end.at)}]`);
        if (!Array.isArray(part) || (part.length === 0 && !(end.isLast && items.length === 0)))
          throw this.#unexpected();
        for (const item of part) items.push(item);
        if (items.length > MOST_ITEMS) throw new JsonOutOfBounds(`an array in it has more than ${MOST_ITEMS} items`);
        yield* this.#pass(end, part.length);
        if (end.isLast) return items;
      } else {
        items.push(yield* this.#value(level));
        if (this.#isLast(CLOSE_ARRAY)) return items;
      }
    }
  }

  *#object(level: number): Work<object> {
    const members: Record<string, unknown> = {};
    let count = 0;
    this.#at += 1;
    for (;;) {
      if (count > MOST_MEMBERS) throw new JsonOutOfBounds(`an object in it has more than ${MOST_MEMBERS} members`);
      const end = this.#sliceEnd(level, CLOSE_OBJECT);
      if (end) {
        const part = Object.entries<unknown>(JSON.parse(`{${this.#text.slice(this.#at, end.at)}}`));
        if (part.length === 0 && !(end.isLast && count === 0)) throw this.#unexpected();
        for (const [key, value] of part) put(members, key, value);
        count += part.length;
        yield* this.#pass(end, part.length);
        if (end.isLast) return members;
      } else {
        const key = this.#key();
        put(members, key, yield* this.#value(level));
        count += 1;
        if (this.#isLast(CLOSE_OBJECT)) return members;
      }
    }
  }

  /** Moves behind the slice and the character that ends it. */
  *#pass({ at }: SliceEnd, items: number): Work {
    const length = at - this.#at;
    this.#at = at + 1;
    yield length / CHARACTERS_OF_STEP + items / ITEMS_OF_STEP;
  }

  /**
   * Finds the end of a slice of the container that has been entered; undefined when its next item is longer than a slice.
   * @throws JsonOutOfBounds; SyntaxError when the text ends too early, or another bracket closes the container
   */
  #sliceEnd(level: number, closing: number): SliceEnd | undefined {
    this.#skipSpace();
    const text = this.#text;
    const limit = Math.min(this.#at + this.#slice, text.length);
    let deep = level;
    let comma: number | undefined;
    for (let at = this.#at; at < limit; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          at = endOfJsonString(text, at, limit);
          break;
        case COMMA:
          if (deep === level) comma = at;
          break;
        case OPEN_ARRAY:
        case OPEN_OBJECT:
          if (++deep > MAX_VALUE_DEPTH) throw new JsonOutOfBounds(`it is nested deeper than ${MAX_VALUE_DEPTH} levels`);
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          if (--deep >= level) break;
          if (text.charCodeAt(at) !== closing) throw this.#unexpected();
          return { at, isLast: true };
      }
    }
    if (comma === undefined && limit === text.length) throw this.#unexpected();
    return comma === undefined ? undefined : { at: comma, isLast: false };
  }

  #key(): string {
    this.#skipSpace();
    const begin = this.#at;
    if (this.#text.charCodeAt(begin) !== QUOTE) throw this.#unexpected();
    this.#at = this.#endOfString(begin) + 1;
    const key: unknown = JSON.parse(this.#text.slice(begin, this.#at));
    this.#skipSpace();
    if (typeof key !== "string" || this.#text[this.#at] !== ":") throw this.#unexpected();
    this.#at += 1;
    return key;
  }

  /** Moves behind the comma or bracket after an item; true for the bracket. */
  #isLast(closing: number): boolean {
    this.#skipSpace();
    const code = this.#text.charCodeAt(this.#at);
    if (code !== closing && code !== COMMA) throw this.#unexpected();
    this.#at += 1;
    return code === closing;
  }

  #endOfString(begin: number): number {
    const limit = begin + LONGEST_SCALAR;
    const end = endOfJsonString(this.#text, begin, Math.min(limit, this.#text.length));
    if (end >= this.#text.length) throw this.#unexpected();
    if (end >= limit) throw tooLong();
    return end;
  }

  #skipSpace(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (code > SPACE || (code !== SPACE && code !== TAB && code !== LINE_FEED && code !== CARRIAGE_RETURN)) return;
    }
  }

  #skipBare(): void {
    BARE.lastIndex = this.#at;
    BARE.test(this.#text);
    this.#at = BARE.lastIndex;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`The text is no JSON at or after character ${this.#at}.`);
  }
}

/** Like JSON.parse: `__proto__` is an ordinary member. */
function put(members: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") members[key] = value;
  else Object.defineProperty(members, key, { value, enumerable: true, configurable: true, writable: true });
}

function tooLong(): JsonOutOfBounds {
  return new JsonOutOfBounds(`a string in it is longer than ${LONGEST_SCALAR} characters`);
}

/** The approximate length of the value as JSON, characters; counting stops at `most`. */
export function jsonLength(value: unknown, most: number): number {
  const left = [value];
  let length = 0;
  while (left.length > 0 && length < most) {
    const next = left.pop();
    if (typeof next === "string") length += next.length + 2;
    else if (Array.isArray(next)) {
      length += next.length + 2;
      if (length < most) for (const item of next) left.push(item);
    } else if (typeof next === "object" && next !== null) {
      length += 2;
      for (const [key, member] of Object.entries(next)) {
        length += key.length + 4;
        left.push(member);
      }
    } else length += 4;
  }
  return Math.min(length, most);
}
