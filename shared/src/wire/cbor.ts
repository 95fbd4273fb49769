/**
 * The CBOR profile. Sending: shortest integers, exact floats, definite lengths, keys in the order given. Receiving: it accepts every width,
 * rejects what the profile forbids, and names every other damage.
 */

import { isUtf8 } from "node:buffer";
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

/** Why a body with a good CRC was dropped. */
export type CborDamage = "bad_cbor" | "trailing_bytes";

export type Decoded =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "damage"; readonly reason: CborDamage };

const BAD: Decoded = { kind: "damage", reason: "bad_cbor" };
const TRAILING: Decoded = { kind: "damage", reason: "trailing_bytes" };

/** Reads one CBOR item that fills `body`. Never throws. DP3. */
export function decodeCbor(body: Uint8Array): Decoded {
  const reader = new Reader(body);
  const value = reader.value(0);
  if (value === undefined) return BAD;
  return reader.atEnd ? { kind: "value", value } : TRAILING;
}

/** Every method returns undefined, which is no value of the profile, for invalid input. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  value(depth: number): Value | undefined {
    const initial = this.#bytes[this.#at];
    if (initial === undefined) return undefined;
    this.#at += 1;
    const major = initial >> 5;
    const info = initial & 0x1f;
    if (major === 7) return this.#simpleOrFloat(info);
    const argument = this.#argument(info);
    if (argument === undefined) return undefined;
    switch (major) {
      case 0:
        return argument;
      case 1:
        return argument < Number.MAX_SAFE_INTEGER ? -1 - argument : undefined;
      case 3:
        return this.#text(argument);
      case 4:
        return depth < MAX_DEPTH ? this.#array(argument, depth + 1) : undefined;
      case 5:
        return depth < MAX_DEPTH ? this.#map(argument, depth + 1) : undefined;
      default:
        return undefined;
    }
  }

  #array(count: number, depth: number): Value | undefined {
    const items: Value[] = [];
    for (let index = 0; index < count; index++) {
      const item = this.value(depth);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  #map(count: number, depth: number): Value | undefined {
    const map: Record<string, Value> = {};
    for (let index = 0; index < count; index++) {
      const key = this.#key();
      if (key === undefined || Object.hasOwn(map, key)) return undefined;
      const value = this.value(depth);
      if (value === undefined) return undefined;
      if (key === "__proto__")
        Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
      else map[key] = value;
    }
    return map;
  }

  #key(): string | undefined {
    const initial = this.#bytes[this.#at];
    if (initial === undefined || initial >> 5 !== 3) return undefined;
    this.#at += 1;
    const length = this.#argument(initial & 0x1f);
    return length === undefined ? undefined : this.#text(length);
  }

  #text(length: number): string | undefined {
    if (length > this.#left) return undefined;
    const start = this.#at;
    this.#at += length;
    return utf8(this.#bytes.subarray(start, this.#at));
  }

  #simpleOrFloat(info: number): Value | undefined {
    switch (info) {
      case 20:
        return false;
      case 21:
        return true;
      case 22:
        return null;
      case 25:
        return this.#float(2, (at) => halfFloat(this.#view.getUint16(at)));
      case 26:
        return this.#float(4, (at) => this.#view.getFloat32(at));
      case 27:
        return this.#float(8, (at) => this.#view.getFloat64(at));
      default:
        return undefined;
    }
  }

  /** A finite float; minus zero becomes zero, since JSON has no minus zero. */
  #float(width: number, read: (at: number) => number): number | undefined {
    if (width > this.#left) return undefined;
    const value = read(this.#at);
    this.#at += width;
    return Number.isFinite(value) ? value + 0 : undefined;
  }

  /** The argument of a head: a length, a count or a number of at most 2^53-1. */
  #argument(info: number): number | undefined {
    if (info < 24) return info;
    const at = this.#at;
    const width = info < 28 ? 1 << (info - 24) : 0;
    if (width === 0 || width > this.#left) return undefined;
    this.#at += width;
    if (width === 1) return this.#view.getUint8(at);
    if (width === 2) return this.#view.getUint16(at);
    if (width === 4) return this.#view.getUint32(at);
    const argument = this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
    return Number.isSafeInteger(argument) ? argument : undefined;
  }

  get #left(): number {
    return this.#bytes.length - this.#at;
  }
}

/** IEEE 754 binary16 (RFC 8949, appendix D). */
function halfFloat(half: number): number {
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Strict UTF-8; a byte order mark is a character like any other. */
function utf8(bytes: Uint8Array): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
