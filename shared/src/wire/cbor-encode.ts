/** The sending half of the CBOR profile: shortest integers, exact floats, definite lengths, keys in the order given. */

import { NamedError } from "../kernel/index.ts";
import type { Value } from "../model/index.ts";

/** Deepest nesting of arrays and maps; the message's own array is the first. DP3. */
export const MAX_DEPTH = 8;

/** What can be encoded: a value, or a map with members left out. */
export type Encodable = Value | readonly Encodable[] | { readonly [key: string]: Encodable | undefined };

/**
 * Encodes one CBOR item. Members that are `undefined` are left out.
 * @throws NamedError "Device Rejected" (`rejected`) for what the profile cannot express: NaN, infinity, lone surrogates, more than 8
 * levels
 */
export function encodeCbor(value: Encodable): Uint8Array {
  const writer = new Writer();
  writer.value(value, 0);
  return writer.bytes();
}

function refuse(what: string): NamedError {
  return new NamedError("Device Rejected", `The device protocol cannot carry ${what}.`, { outcome: "rejected" });
}

class Writer {
  #buffer = Buffer.allocUnsafe(128);
  #length = 0;

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  value(value: Encodable, depth: number): void {
    if (typeof value === "number") this.#number(value);
    else if (typeof value === "string") this.#text(value);
    else if (typeof value === "boolean") this.#byte(value ? 0xf5 : 0xf4);
    else if (value === null) this.#byte(0xf6);
    else if (depth === MAX_DEPTH) throw refuse(`a value nested more than ${MAX_DEPTH} deep`);
    else if (isList(value)) this.#array(value, depth + 1);
    else this.#map(value, depth + 1);
  }

  #array(items: readonly Encodable[], depth: number): void {
    this.#head(4, items.length);
    for (const item of items) this.value(item, depth);
  }

  #map(map: { readonly [key: string]: Encodable | undefined }, depth: number): void {
    const keys = Object.keys(map).filter((key) => map[key] !== undefined);
    this.#head(5, keys.length);
    for (const key of keys) {
      this.#text(key);
      this.value(map[key] ?? null, depth);
    }
  }

  #number(value: number): void {
    if (Number.isSafeInteger(value)) this.#head(value < 0 ? 1 : 0, value < 0 ? -1 - value : value);
    else if (Number.isFinite(value)) this.#float(value);
    else throw refuse(`${value}`);
  }

  #float(value: number): void {
    const single = Math.fround(value) === value;
    const at = this.#reserve(single ? 5 : 9);
    this.#buffer[at] = single ? 0xfa : 0xfb;
    if (single) this.#buffer.writeFloatBE(value, at + 1);
    else this.#buffer.writeDoubleBE(value, at + 1);
  }

  #text(text: string): void {
    if (!text.isWellFormed()) throw refuse("a text with a lone surrogate");
    const bytes = Buffer.byteLength(text);
    this.#head(3, bytes);
    const at = this.#reserve(bytes);
    this.#buffer.write(text, at, "utf8");
  }

  /** The shortest head of an item: three bits of major type and its argument. */
  #head(major: number, argument: number): void {
    const width = argument < 24 ? 0 : argument < 0x100 ? 1 : argument < 0x10000 ? 2 : argument < 0x100000000 ? 4 : 8;
    const at = this.#reserve(1 + width);
    this.#buffer[at] = (major << 5) | (width === 0 ? argument : 24 + Math.log2(width));
    if (width === 8) this.#buffer.writeBigUInt64BE(BigInt(argument), at + 1);
    else if (width > 0) this.#buffer.writeUIntBE(argument, at + 1, width);
  }

  #byte(byte: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = byte;
  }

  /** Reserves `bytes` more and returns their offset. It may replace the buffer: call it before you access the buffer. */
  #reserve(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, at);
      this.#buffer = larger;
    }
    return at;
  }
}

function isList(value: object): value is readonly Encodable[] {
  return Array.isArray(value);
}
