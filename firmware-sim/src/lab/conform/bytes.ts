/** Bytes that our encoders never produce: frames in other forms, damaged frames, bodies beyond the profile. */
import { crc16, encodeFrame } from "@porchlight/shared/wire";

export const END = 0xc0;
export const ESC = 0xdb;

/** Bytes from hex words and numbers: `bytes("82 0B", 7)`. */
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

/** A frame around any body. */
export function frameOf(...parts: readonly (string | number | Uint8Array)[]): Uint8Array {
  return encodeFrame(bytes(...parts));
}

/** An unsigned number of this width after its head, in the shortest form or not. */
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

/** A text whose head has this width. */
export function wideText(text: string, width: 1 | 2 | 4 | 8): Uint8Array {
  const head = wide(Buffer.byteLength(text), width);
  head[0] = (head[0] ?? 0) | 0x60;
  return bytes(head, Buffer.from(text));
}

/** A PING with further items after its seq, which decide whether its body is valid. */
export function pingWith(seq: number, ...more: readonly (string | number | Uint8Array)[]): Uint8Array {
  return bytes(more.length === 0 ? 0x82 : 0x83, 0x0b, seqBytes(seq), ...more);
}

/** The body of a PING whose frame has exactly `size` bytes unescaped, CRC included; most of them are escaped on the line. */
export function pingOfSize(seq: number, size: number): Uint8Array {
  const start = bytes(0x83, 0x0b, seqBytes(seq));
  const room = size - 2 - start.length;
  // Where no length fits its shortest head exactly, the head is one byte longer than necessary (C5).
  const head = room - 2 < 0x100 ? 2 : 3;
  const count = room - head;
  // DB 80 is a UTF-8 character, and DB is escaped on the line: the limit counts it once.
  const text = Buffer.alloc(count, 0x61);
  for (let at = 0; at + 1 < count; at += 2) text.set([0xdb, 0x80], at);
  return bytes(start, head === 2 ? bytes(0x78, count) : bytes(0x79, count >> 8, count & 0xff), text);
}

/** A frame with the wrong CRC. @param wrong the bits of the CRC to flip */
export function badCrc(body: Uint8Array, wrong = 0x0101): Uint8Array {
  const crc = crc16(body) ^ wrong;
  return Uint8Array.of(END, ...escaped(bytes(body, crc >> 8, crc & 0xff)), END);
}

/** Escapes body and CRC. */
export function escaped(plain: Uint8Array): Uint8Array {
  return Uint8Array.from(
    [...plain].flatMap((byte) => (byte === END ? [ESC, 0xdc] : byte === ESC ? [ESC, 0xdd] : [byte])),
  );
}

/** Appends the CRC to a body, unescaped. */
export function withCrc(body: Uint8Array): Uint8Array {
  const crc = crc16(body);
  return bytes(body, crc >> 8, crc & 0xff);
}
