/**
 * Cuts the bytes of a connection into frames: with an indicator byte, a length and a type in plain text, or with the length only where the
 * frame is encrypted (Noise). Bounded: a frame that is too large is passed over and counted, and never held. Pure.
 */

/** A message: the number of its type, and its protobuf bytes. */
export interface ApiMessage {
  readonly type: number;
  readonly body: Buffer;
}

/** Largest body of a message, bytes: what an encrypted frame can hold at most. */
const LARGEST_BODY = 65_535;
const PLAINTEXT = 0x00;
export const NOISE = 0x01;
const NO_BYTES = Buffer.alloc(0);
/** Bytes of a variable-length number of 32 bits, at most. */
const LONGEST_NUMBER = 5;

export class PlaintextFrames {
  readonly #tooLarge: () => void;
  #rest: Buffer = NO_BYTES;
  /** Bytes of a frame that is passed over. */
  #skip = 0;

  /** @param tooLarge called for each frame that is passed over */
  constructor(tooLarge: () => void) {
    this.#tooLarge = tooLarge;
  }

  /** The messages that are whole now. @throws WireProblem */
  push(bytes: Buffer): ApiMessage[] {
    const passed = Math.min(this.#skip, bytes.length);
    this.#skip -= passed;
    let rest = joined(this.#rest, bytes.subarray(passed));
    const messages: ApiMessage[] = [];
    for (;;) {
      const header = headerOf(rest);
      if (!header) break;
      const { length, type, size } = header;
      if (length > LARGEST_BODY) {
        this.#tooLarge();
        const there = Math.min(length, rest.length - size);
        this.#skip = length - there;
        rest = rest.subarray(size + there);
        continue;
      }
      if (rest.length < size + length) break;
      messages.push({ type, body: rest.subarray(size, size + length) });
      rest = rest.subarray(size + length);
    }
    this.#rest = Buffer.from(rest);
    return messages;
  }
}

export class NoiseFrames {
  #rest: Buffer = NO_BYTES;

  /** The frames that are whole now, as they are: encrypted, or of the handshake. @throws WireProblem */
  push(bytes: Buffer): Buffer[] {
    let rest = joined(this.#rest, bytes);
    const frames: Buffer[] = [];
    while (rest.length > 0) {
      if (rest[0] === PLAINTEXT)
        throw new WireProblem("no_encryption", "It does not encrypt, and the hub has a key for it.");
      if (rest[0] !== NOISE) throw notThisProtocol();
      if (rest.length < 3) break;
      const end = 3 + rest.readUInt16BE(1);
      if (rest.length < end) break;
      frames.push(rest.subarray(3, end));
      rest = rest.subarray(end);
    }
    this.#rest = Buffer.from(rest);
    return frames;
  }
}

export function plaintextFrame({ type, body }: ApiMessage): Buffer {
  return Buffer.concat([Buffer.from([PLAINTEXT, ...numberBytes(body.length), ...numberBytes(type)]), body]);
}

export function noiseFrame(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(3);
  header.writeUInt8(NOISE, 0);
  header.writeUInt16BE(body.length, 1);
  return Buffer.concat([header, body]);
}

export function notThisProtocol(): WireProblem {
  return new WireProblem("bad_bytes", "What it sends is not the native API of ESPHome.");
}

function joined(rest: Buffer, bytes: Buffer): Buffer {
  return rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
}

/** Undefined when it is not whole yet. @throws WireProblem */
function headerOf(bytes: Buffer): { length: number; type: number; size: number } | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes[0] === NOISE) throw new WireProblem("needs_key", "It needs its encryption key.");
  if (bytes[0] !== PLAINTEXT) throw notThisProtocol();
  const length = numberAt(bytes, 1);
  const type = length && numberAt(bytes, length.end);
  return length && type && { length: length.value, type: type.value, size: type.end };
}

/** Undefined when it is not whole yet. @throws WireProblem */
function numberAt(bytes: Buffer, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = 0; at < LONGEST_NUMBER; at++) {
    const byte = bytes[from + at];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, end: from + at + 1 };
  }
  throw notThisProtocol();
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...numberBytes(Math.floor(value / 0x80))];
}

// What can be wrong with a device on the wire, by name: thrown while a connection is set up, and where it ends.

/**
 * `refused_at_once`: it closes the connection before it says anything. `needs_key`, `no_encryption`: one side encrypts, and the other does not.
 * `closed`: the connection has ended. `bad_bytes`: what it sends is not this protocol.
 */
export type WireProblemKind =
  | "refused_at_once"
  | "needs_key"
  | "wrong_key"
  | "no_encryption"
  | "needs_password"
  | "api_version"
  | "bad_bytes"
  | "closed";

/** The message is a sentence for people. */
export class WireProblem extends Error {
  readonly kind: WireProblemKind;

  constructor(kind: WireProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
