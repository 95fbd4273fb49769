/** Bytes that no encoder of ours makes: frames in other forms, damaged frames, bodies beyond the profile. */
import { crc16, encodeFrame } from "@porchlight/shared/wire";

export const END = 0xc0;
export const ESC = 0xdb;

/** Bytes of hex words and numbers: `bytes("82 0B", 7)`. */
export function bytes(...parts: readonly (string | number | Uint8Array)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) =>
      typeof part === "string"
        ? Buffer.from(part.replaceAll(" ", ""), "hex")
        : typeof part === "number"
          ? Buffer.of(part)
          : part,
    ),
  );
}

/** A frame around a body of any kind. */
export function frameOf(...parts: readonly (string | number | Uint8Array)[]): Uint8Array {
  return encodeFrame(bytes(...parts));
}

/** An unsigned number in so many bytes after its head, shortest form or not. */
export function wide(number: number, width: 1 | 2 | 4 | 8): Uint8Array {
  const out = Buffer.alloc(1 + width);
  out[0] = { 1: 0x18, 2: 0x19, 4: 0x1a, 8: 0x1b }[width];
  out.writeUIntBE(number, 1 + Math.max(0, width - 6), Math.min(6, width));
  return out;
}

/** The seq of a message in its shortest form. */
export function seqBytes(seq: number): Uint8Array {
  return seq < 24 ? Uint8Array.of(seq) : seq < 0x100 ? wide(seq, 1) : wide(seq, 2);
}

/** A text with its head in so many bytes. */
export function wideText(text: string, width: 1 | 2 | 4 | 8): Uint8Array {
  const head = wide(Buffer.byteLength(text), width);
  head[0] = (head[0] ?? 0) | 0x60;
  return bytes(head, Buffer.from(text));
}

/** A PING with more after its seq: what makes its body good or bad. */
export function pingWith(seq: number, ...more: readonly (string | number | Uint8Array)[]): Uint8Array {
  return bytes(more.length === 0 ? 0x82 : 0x83, 0x0b, seqBytes(seq), ...more);
}

/** The body of a PING whose frame has exactly `size` bytes unescaped, CRC included, most of them an escaped byte's. */
export function pingOfSize(seq: number, size: number): Uint8Array {
  const start = bytes(0x83, 0x0b, seqBytes(seq));
  const room = size - 2 - start.length;
  // Where no length fits its shortest head exactly, the head is a byte longer than it need be (C5).
  const head = room - 2 < 0x100 ? 2 : 3;
  const count = room - head;
  // DB 80 is a letter of UTF-8, and DB is escaped on the line: the limit counts it once.
  const text = Buffer.alloc(count, 0x61);
  for (let at = 0; at + 1 < count; at += 2) text.set([0xdb, 0x80], at);
  return bytes(start, head === 2 ? bytes(0x78, count) : bytes(0x79, count >> 8, count & 0xff), text);
}

/** A frame whose CRC is not the one of its body. @param wrong the bits of the CRC that are turned round */
export function badCrc(body: Uint8Array, wrong = 0x0101): Uint8Array {
  const crc = crc16(body) ^ wrong;
  return Uint8Array.of(END, ...escaped(bytes(body, crc >> 8, crc & 0xff)), END);
}

/** Body and CRC, escaped. */
export function escaped(plain: Uint8Array): Uint8Array {
  return Uint8Array.from(
    [...plain].flatMap((byte) => (byte === END ? [ESC, 0xdc] : byte === ESC ? [ESC, 0xdd] : [byte])),
  );
}

/** A body with its CRC, not escaped. */
export function withCrc(body: Uint8Array): Uint8Array {
  const crc = crc16(body);
  return bytes(body, crc >> 8, crc & 0xff);
}
