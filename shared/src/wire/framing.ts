/** Bytes between a hub and a node, on any carrier, and the frames in them: SLIP delimiters and escapes around a body and its CRC. DP2. */

/** A byte stream between a hub and a node, on any carrier: serial port, TCP, TLS or memory. */

export interface ByteLink {
  /** Registers the receiver of the bytes and of the end of the line, which is reported once. The owner calls it once, before any write. */
  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void;
  /** Sends bytes; resolves when the last of them has left. Rejects when the line is down. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the line. Safe to repeat. */
  close(): void;
}

/** Frames on a stream of bytes: SLIP delimiters and escapes around a body and its CRC. DP2. */

const END = 0xc0;
const ESC = 0xdb;
const ESCAPED_END = 0xdc;
const ESCAPED_ESC = 0xdd;
const CRC_BYTES = 2;

/** Why the bytes between two ENDs were dropped. */
export type FrameDamage = "bad_crc" | "bad_escape" | "too_long" | "too_short";

export type FrameEvent =
  | { readonly kind: "frame"; readonly body: Uint8Array }
  | { readonly kind: "damage"; readonly reason: FrameDamage };

/** Size of a frame that counts against a receiver's limit, bytes: the body and its CRC, unescaped. */
export function frameSize(body: Uint8Array): number {
  return body.length + CRC_BYTES;
}

/** Encodes a body as the bytes for the line. */
export function encodeFrame(body: Uint8Array): Uint8Array {
  const crc = crc16(body);
  const high = crc >> 8;
  const low = crc & 0xff;
  let length = body.length + CRC_BYTES + 2;
  for (const byte of body) if (byte === END || byte === ESC) length += 1;
  if (high === END || high === ESC) length += 1;
  if (low === END || low === ESC) length += 1;

  const frame = new Uint8Array(length);
  frame[0] = END;
  let at = 1;
  for (const byte of body) at = putEscaped(frame, at, byte);
  at = putEscaped(frame, at, high);
  at = putEscaped(frame, at, low);
  frame[at] = END;
  return frame;
}

function putEscaped(frame: Uint8Array, at: number, byte: number): number {
  if (byte !== END && byte !== ESC) {
    frame[at] = byte;
    return at + 1;
  }
  frame[at] = ESC;
  frame[at + 1] = byte === END ? ESCAPED_END : ESCAPED_ESC;
  return at + 2;
}

/**
 * Splits a stream into frames. Damage is a value, reported once for each dropped frame as soon as it is detected. For every input,
 * memory is `limit` bytes, and the next END starts afresh.
 */
export class FrameReader {
  readonly #buffer: Uint8Array;
  #length = 0;
  #escaping = false;
  #skipping = false;

  /** @param limit the largest accepted frame, bytes, unescaped, CRC included */
  constructor(limit: number) {
    this.#buffer = new Uint8Array(limit);
  }

  /** The frames and damages that these bytes complete, in order. */
  push(bytes: Uint8Array): FrameEvent[] {
    const events: FrameEvent[] = [];
    for (const byte of bytes) {
      const event = byte === END ? this.#end() : this.#skipping ? undefined : this.#take(byte);
      if (event) events.push(event);
    }
    return events;
  }

  #take(byte: number): FrameEvent | undefined {
    if (byte === ESC && !this.#escaping) {
      this.#escaping = true;
      return undefined;
    }
    const plain = this.#escaping ? unescaped(byte) : byte;
    this.#escaping = false;
    if (plain === undefined) return this.#skip("bad_escape");
    if (this.#length === this.#buffer.length) return this.#skip("too_long");
    this.#buffer[this.#length] = plain;
    this.#length += 1;
    return undefined;
  }

  #end(): FrameEvent | undefined {
    const length = this.#length;
    const [skipping, escaping] = [this.#skipping, this.#escaping];
    this.#length = 0;
    this.#skipping = false;
    this.#escaping = false;
    if (skipping) return undefined;
    if (escaping) return { kind: "damage", reason: "bad_escape" };
    if (length === 0) return undefined;
    if (length <= CRC_BYTES) return { kind: "damage", reason: "too_short" };
    const end = length - CRC_BYTES;
    const sent = ((this.#buffer[end] ?? 0) << 8) | (this.#buffer[end + 1] ?? 0);
    if (crc16(this.#buffer, end) !== sent) return { kind: "damage", reason: "bad_crc" };
    return { kind: "frame", body: this.#buffer.slice(0, end) };
  }

  #skip(reason: FrameDamage): FrameEvent {
    this.#skipping = true;
    return { kind: "damage", reason };
  }
}

function unescaped(byte: number): number | undefined {
  if (byte === ESCAPED_END) return END;
  if (byte === ESCAPED_ESC) return ESC;
  return undefined;
}

/** Polynomial of CRC-16/IBM-3740 ("CCITT-FALSE"): firmware authors compare this table with theirs. */
const POLYNOMIAL = 0x1021;
const INITIAL = 0xffff;

const TABLE: Uint16Array = Uint16Array.from({ length: 256 }, (_, index) => {
  let remainder = index << 8;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 0x8000 ? (remainder << 1) ^ POLYNOMIAL : remainder << 1;
  return remainder & 0xffff;
});

/** The CRC of the first `length` bytes (all when omitted), 0..65535. DP2. */
export function crc16(bytes: Uint8Array, length = bytes.length): number {
  let crc = INITIAL;
  for (let at = 0; at < length; at++) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  return crc;
}
