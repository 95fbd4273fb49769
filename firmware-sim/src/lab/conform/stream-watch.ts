/** Splits a stream of bytes like a strict receiver, and names the rule of section 2 that a sender has broken. */
import { crc16 } from "@porchlight/shared/wire";

const END = 0xc0;
const ESC = 0xdb;
const CRC_BYTES = 2;
/** Number of consecutive damaged pieces that may be one frame with unescaped ENDs. */
const PIECES = 3;

export type StreamEvent =
  | { readonly kind: "frame"; readonly body: Uint8Array; readonly raw: Uint8Array }
  | { readonly kind: "fault"; readonly rule: string; readonly what: string; readonly raw: Uint8Array };

type Piece = { readonly bytes: Uint8Array; readonly badEscape: boolean };

export class StreamWatch {
  readonly #limit: number;
  #piece: number[] = [];
  /** ENDs since the last byte of a piece; undefined until the first piece, which may be incomplete. */
  #ends: number | undefined;
  #synced = false;
  #damaged: { readonly piece: Uint8Array; readonly raw: Uint8Array }[] = [];

  /** @param limit the largest frame that the sender may send, bytes, unescaped, CRC included */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The open frame, unescaped, if only its END is missing; else undefined. */
  get unended(): Uint8Array | undefined {
    const { bytes, badEscape } = plainOf(this.#piece);
    return !badEscape && bytes.length > CRC_BYTES && crcOf(bytes) === sentCrc(bytes) ? bytes : undefined;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const byte of bytes) {
      if (byte === END) events.push(...this.#end());
      else events.push(...this.#take(byte));
    }
    return events;
  }

  /** Discards the open frame: the line was interrupted, or starts again. */
  reset(): void {
    this.#piece = [];
    this.#ends = undefined;
    this.#synced = false;
    this.#damaged = [];
  }

  #take(byte: number): StreamEvent[] {
    if (!this.#synced) return [];
    const events: StreamEvent[] = [];
    if (this.#piece.length === 0 && this.#ends === 1) {
      const what = "A frame does not begin with its own END: it follows the END of the previous frame.";
      events.push({ kind: "fault", rule: "F4", what, raw: Uint8Array.of(END, byte) });
    }
    this.#piece.push(byte);
    this.#ends = 0;
    return events;
  }

  #end(): StreamEvent[] {
    this.#synced = true;
    if (this.#ends !== undefined) this.#ends += 1;
    if (this.#piece.length === 0) return [];
    const raw = Uint8Array.of(END, ...this.#piece, END);
    const { bytes, badEscape } = plainOf(this.#piece);
    this.#piece = [];
    return this.#judge({ bytes, badEscape }, raw);
  }

  #judge({ bytes, badEscape }: Piece, raw: Uint8Array): StreamEvent[] {
    if (badEscape) return [fault("F3", "DB is followed by a byte other than DC or DD.", raw)];
    if (bytes.length > this.#limit) return [fault("F7", `A frame has ${bytes.length} bytes, more than 4095.`, raw)];
    if (bytes.length > CRC_BYTES && crcOf(bytes) === sentCrc(bytes)) {
      const lost = this.#flush();
      return [...lost, { kind: "frame", body: bytes.slice(0, -CRC_BYTES), raw }];
    }
    this.#damaged.push({ piece: bytes, raw });
    const joined = this.#joined();
    if (joined) {
      this.#damaged = [];
      return [fault("F3", "C0 is inside a frame and not escaped.", joined)];
    }
    return this.#damaged.length > PIECES ? this.#flush() : [];
  }

  /** Returns the damaged pieces, which no later piece can complete. */
  #flush(): StreamEvent[] {
    const damaged = this.#damaged;
    this.#damaged = [];
    return damaged.map(({ piece, raw }) => damageOf(piece, raw));
  }

  /** The damaged pieces that form a good frame with an END between them. */
  #joined(): Uint8Array | undefined {
    for (let from = 0; from < this.#damaged.length - 1; from++) {
      const pieces = this.#damaged.slice(from).map(({ piece }) => [...piece]);
      const whole = Uint8Array.from(pieces.flatMap((piece, at) => (at === 0 ? piece : [END, ...piece])));
      if (crcOf(whole) === sentCrc(whole)) return Uint8Array.of(END, ...whole, END);
    }
    return undefined;
  }

  /** Reports the remaining damage, at the end of the input. */
  finish(): StreamEvent[] {
    return this.#flush();
  }
}

function damageOf(bytes: Uint8Array, raw: Uint8Array): StreamEvent {
  if (bytes.length <= CRC_BYTES) return fault("F1", "A frame has fewer than three bytes.", raw);
  const [high = 0, low = 0] = bytes.slice(-CRC_BYTES);
  const body = bytes.slice(0, -CRC_BYTES);
  const crc = crc16(body);
  if (crc === ((low << 8) | high)) return fault("F1", "The CRC is sent with its low byte first.", raw);
  if (crc16(escaped(body)) === ((high << 8) | low))
    return fault("F1", "The CRC is computed over the escaped body.", raw);
  const stated = hex4((high << 8) | low);
  return fault("F2", `The CRC is ${stated}; for this body it must be ${hex4(crc)}.`, raw);
}

function fault(rule: string, what: string, raw: Uint8Array): StreamEvent {
  return { kind: "fault", rule, what, raw };
}

function plainOf(piece: readonly number[]): Piece {
  const bytes: number[] = [];
  let badEscape = false;
  for (let at = 0; at < piece.length; at++) {
    const byte = piece[at] ?? 0;
    if (byte !== ESC) {
      bytes.push(byte);
      continue;
    }
    at += 1;
    if (piece[at] !== 0xdc && piece[at] !== 0xdd) badEscape = true;
    bytes.push(piece[at] === 0xdc ? END : ESC);
  }
  return { bytes: Uint8Array.from(bytes), badEscape };
}

function escaped(body: Uint8Array): Uint8Array {
  return Uint8Array.from([...body].flatMap((byte) => (byte === END ? [ESC, 0xdc] : byte === ESC ? [ESC, 0xdd] : byte)));
}

const crcOf = (bytes: Uint8Array) => crc16(bytes, bytes.length - CRC_BYTES);
const sentCrc = (bytes: Uint8Array) => ((bytes.at(-2) ?? 0) << 8) | (bytes.at(-1) ?? 0);
const hex4 = (crc: number) => crc.toString(16).padStart(4, "0").toUpperCase();
