/**
 * Splits the bytes of a connection into frames: plain-text frames with an indicator byte, a length and a type, or encrypted frames
 * (Noise) with the length only. An oversized frame is skipped and counted, and never buffered. Pure.
 */

/** A message: its type number and its protobuf bytes. */
export interface ApiMessage {
  readonly type: number;
  readonly body: Buffer;
}

/** Largest body of a message, bytes: the maximum of an encrypted frame. */
const LARGEST_BODY = 65_535;
const PLAINTEXT = 0x00;
export const NOISE = 0x01;
const NO_BYTES = Buffer.alloc(0);
/** Maximum bytes of a 32-bit varint. */
const LONGEST_NUMBER = 5;

export class PlaintextFrames {
  readonly #tooLarge: () => void;
  #rest: Buffer = NO_BYTES;
  /** Remaining bytes of a skipped frame. */
  #skip = 0;

  /** @param tooLarge called for each skipped frame */
  constructor(tooLarge: () => void) {
    this.#tooLarge = tooLarge;
  }

  /** Returns the messages that are now complete. @throws WireProblem */
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

  /** Returns the raw frames that are now complete, of the handshake or encrypted. @throws WireProblem */
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

/** Undefined while it is incomplete. @throws WireProblem */
function headerOf(bytes: Buffer): { length: number; type: number; size: number } | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes[0] === NOISE) throw new WireProblem("needs_key", "It needs its encryption key.");
  if (bytes[0] !== PLAINTEXT) throw notThisProtocol();
  const length = numberAt(bytes, 1);
  const type = length && numberAt(bytes, length.end);
  return length && type && { length: length.value, type: type.value, size: type.end };
}

/** Undefined while it is incomplete. @throws WireProblem */
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

/**
 * `refused_at_once`: the device closes the connection before it sends anything. `needs_key`, `no_encryption`: only one side encrypts.
 * `closed`: the connection has ended. `bad_bytes`: the data is not this protocol.
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

/** Thrown during the setup of a connection, and the reason of its end. The message is a sentence for people. */
export class WireProblem extends Error {
  readonly kind: WireProblemKind;

  constructor(kind: WireProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
