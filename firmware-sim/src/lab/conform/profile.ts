/** Finds the violations of the CBOR profile in a body, byte by byte, because a decoder accepts forms that a sender must not use. */
import { isUtf8 } from "node:buffer";

export interface ProfileFault {
  /** `F1`, `C1`, `C2`, `C4`, `C6` or `C7`. */
  readonly rule: string;
  readonly what: string;
}

const DEPTH = 8;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** Violations in a sender's body; empty when it conforms to the profile. */
export function profileFaults(body: Uint8Array): ProfileFault[] {
  const walker = new Walker(body);
  try {
    walker.item(0);
    if (!walker.atEnd) walker.fault("F1", "There are bytes after the CBOR item.");
  } catch (failure) {
    if (!(failure instanceof Cut)) throw failure;
    walker.fault("F1", "The CBOR item is not complete.");
  }
  return walker.faults;
}

/** The body ends within an item. */
class Cut extends Error {}

class Walker {
  readonly faults: ProfileFault[] = [];
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  fault(rule: string, what: string): void {
    this.faults.push({ rule, what });
  }

  /** Skips one item. @param depth number of arrays and maps around it @returns the text, when the item is one */
  item(depth: number): string | undefined {
    const first = this.#byte();
    const [major, info] = [first >> 5, first & 31];
    if (major === 7) {
      this.#simple(info);
      return undefined;
    }
    const argument = this.#argument(info);
    switch (major) {
      case 0:
      case 1:
        if (argument > LARGEST - BigInt(major)) this.fault("C2", "An integer is outside -(2^53-1) to 2^53-1.");
        return undefined;
      case 2:
        this.fault("C4", "Byte strings are forbidden.");
        this.#skip(argument);
        return undefined;
      case 3:
        return this.#text(argument);
      case 6:
        this.fault("C4", "Tags are forbidden.");
        return this.item(depth);
      default:
        if (depth >= DEPTH) this.fault("C6", `Arrays and maps nest more than ${DEPTH} levels deep.`);
        if (major === 4) for (let left = argument; left > 0n; left--) this.item(depth + 1);
        else this.#map(argument, depth + 1);
        return undefined;
    }
  }

  #map(pairs: bigint, depth: number): void {
    const keys = new Set<string>();
    for (let left = pairs; left > 0n; left--) {
      const key = this.item(depth);
      if (key === undefined) this.fault("C3", "A key of a map is not text.");
      else if (keys.has(key)) this.fault("C7", `A map has the key ${key} twice.`);
      else keys.add(key);
      this.item(depth);
    }
  }

  #text(length: bigint): string {
    const from = this.#at;
    this.#skip(length);
    const bytes = this.#bytes.subarray(from, this.#at);
    if (!isUtf8(bytes)) this.fault("C7", "A text is not valid UTF-8.");
    return new TextDecoder().decode(bytes);
  }

  #simple(info: number): void {
    if (info >= 20 && info <= 22) return;
    const width = info === 25 ? 2 : info === 26 ? 4 : info === 27 ? 8 : 0;
    if (width === 0) {
      if (info === 24) this.#skip(1n);
      this.fault("C4", info === 31 ? "Indefinite lengths are forbidden." : "Simple values of that kind are forbidden.");
      return;
    }
    const from = this.#at;
    this.#skip(BigInt(width));
    if (width === 2) {
      this.fault("C2", "A float is sent in half precision; it must be single or double.");
      return;
    }
    const number = width === 4 ? this.#view.getFloat32(from) : this.#view.getFloat64(from);
    if (!Number.isFinite(number)) this.fault("C4", "NaN and infinity are forbidden.");
    else if (Number.isSafeInteger(number)) this.fault("C2", `${number} is a whole number, but is sent as a float.`);
    else if (width === 8 && Math.fround(number) === number)
      this.fault("C2", `${number} is sent in double precision, but single precision is exact.`);
  }

  /** The argument of a head, which must be in its shortest form. */
  #argument(info: number): bigint {
    if (info < 24) return BigInt(info);
    if (info > 27) {
      this.fault("C4", "Indefinite lengths are forbidden.");
      throw new Cut();
    }
    const width = 1 << (info - 24);
    let argument = 0n;
    for (let byte = 0; byte < width; byte++) argument = (argument << 8n) | BigInt(this.#byte());
    const least = [24n, 0x100n, 0x10000n, 0x100000000n][info - 24] ?? 0n;
    if (argument < least) this.fault("C1", `${argument} is not written in its shortest form.`);
    return argument;
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new Cut();
    this.#at += 1;
    return byte;
  }

  #skip(count: bigint): void {
    if (BigInt(this.#bytes.length - this.#at) < count) throw new Cut();
    this.#at += Number(count);
  }
}
