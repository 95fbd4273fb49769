/**
 * Parses typed JSON by the service's rules and reports faults with their line. It rejects duplicate keys and numbers beyond a double, which
 * a browser's parser accepts silently; browsers also differ in their messages for invalid JSON.
 */

export class JsonFault extends Error {
  /** Line number, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const STRING = /"[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\p{Cc}]*)*"/uy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\r\n]*/y;

/** @param mostLevels maximum nesting of objects and arrays; `{}` is one level @throws JsonFault */
export function readJson(text: string, mostLevels: number): unknown {
  return new Reader(text, mostLevels).read();
}

class Reader {
  readonly #text: string;
  readonly #mostLevels: number;
  #at = 0;

  constructor(text: string, mostLevels: number) {
    this.#text = text;
    this.#mostLevels = mostLevels;
  }

  read(): unknown {
    const value = this.#value(1);
    this.#take(SPACE);
    if (this.#at < this.#text.length) throw this.#fault("There is text after the end of the value.");
    return value;
  }

  #value(level: number): unknown {
    this.#take(SPACE);
    const first = this.#text[this.#at];
    if ((first === "{" || first === "[") && level > this.#mostLevels)
      throw this.#fault(`The value is nested more than ${this.#mostLevels} levels deep.`);
    if (first === "{") return this.#object(level);
    if (first === "[") return this.#array(level);
    if (first === '"') return this.#string();
    const word = this.#take(WORD);
    if (word !== undefined) return JSON.parse(word);
    const digits = this.#take(NUMBER);
    if (digits === undefined)
      throw this.#fault(first === undefined ? "The text ends before the value is complete." : "A value is missing.");
    if (!Number.isFinite(Number(digits))) throw this.#fault("This number is too large.");
    return Number(digits);
  }

  #object(level: number): Record<string, unknown> {
    const fields = new Map<string, unknown>();
    for (const close of this.#entries("}")) {
      if (this.#text[this.#at] !== '"') throw this.#fault(`A key in quotation marks${close} is missing.`);
      const from = this.#at;
      const key = this.#string();
      if (fields.has(key)) throw this.#fault(`The key ${JSON.stringify(key)} is given twice.`, from);
      this.#take(SPACE);
      if (!this.#skip(":")) throw this.#fault(`A colon is missing after the key ${JSON.stringify(key)}.`);
      fields.set(key, this.#value(level + 1));
    }
    // Creates own properties, including `__proto__`.
    return Object.fromEntries(fields);
  }

  #array(level: number): unknown[] {
    const items: unknown[] = [];
    for (const _ of this.#entries("]")) items.push(this.#value(level + 1));
    return items;
  }

  /** Iterates over the comma-separated entries; yields the alternatives to an entry at this position, for error messages. */
  *#entries(end: "}" | "]"): Generator<string, void, undefined> {
    this.#at += 1;
    this.#take(SPACE);
    if (this.#skip(end)) return;
    yield ` or "${end}"`;
    for (;;) {
      this.#take(SPACE);
      if (this.#skip(end)) return;
      if (!this.#skip(",")) throw this.#fault(`A comma or "${end}" is missing.`);
      this.#take(SPACE);
      yield " after the comma";
    }
  }

  #string(): string {
    const text = this.#take(STRING);
    if (text === undefined) throw this.#fault("This string is not closed on its line, or has one backslash too many.");
    return JSON.parse(text);
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fault(message: string, at = this.#at): JsonFault {
    return new JsonFault(message, this.#text.slice(0, at).split("\n").length);
  }
}
