/** Reads and writes the blocks of the pcapng format (draft-ietf-opsawg-pcapng) with their options, independent of their content. */

export const SECTION = 0x0a0d0d0a;
export const INTERFACE = 1;
export const PACKET = 6;

/** Option codes in use; codes from 2 on depend on the type of block. */
export const COMMENT = 1;
export const SECTION_PROGRAM = 4;
export const INTERFACE_NAME = 2;
export const INTERFACE_DESCRIPTION = 3;
export const INTERFACE_RESOLUTION = 9;
export const PACKET_FLAGS = 2;

/** First field of a section, in the writer's byte order. */
export const BYTE_ORDER = 0x1a2b3c4d;

export interface BlockOption {
  readonly code: number;
  readonly value: Uint8Array;
}

export interface Block {
  readonly type: number;
  /** The content, without type, lengths and padding. */
  readonly body: DataView;
  /** Whether this section's numbers are little endian. */
  readonly isLittle: boolean;
}

/** Bytes around a body: type and two lengths. */
const AROUND = 12;

/** A block, little endian. @param fields content before the options; a multiple of four bytes */
export function blockOf(type: number, fields: Uint8Array, options: readonly BlockOption[] = []): Uint8Array {
  const parts = [fields, ...(options.length > 0 ? [...options.map(optionBytes), new Uint8Array(4)] : [])];
  const length = AROUND + parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([numbers(type, length), ...parts, numbers(length)]);
}

export function textOption(code: number, text: string): BlockOption {
  return { code, value: Buffer.from(text, "utf8") };
}

/** Numbers of 32 bits, little endian. */
export function numbers(...all: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * all.length);
  const view = new DataView(bytes.buffer);
  for (const [at, number] of all.entries()) view.setUint32(4 * at, number, true);
  return bytes;
}

/** Bytes padded with zeros to a multiple of four. */
export function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(aligned(bytes.length));
  whole.set(bytes);
  return whole;
}

function optionBytes({ code, value }: BlockOption): Uint8Array {
  const head = new Uint8Array(4);
  const view = new DataView(head.buffer);
  view.setUint16(0, code, true);
  view.setUint16(2, value.length, true);
  return Buffer.concat([head, padded(value)]);
}

/** Whether bytes begin like a pcapng file. */
export function looksLikePcapng(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0) === SECTION;
}

export type CutBlocks =
  | {
      readonly kind: "ok";
      readonly blocks: readonly Block[] /** The last block was incomplete. */;
      readonly isCut: boolean;
    }
  | { readonly kind: "problem"; readonly problem: string };

/** The blocks of a file. */
export function cutBlocks(bytes: Uint8Array): CutBlocks {
  const view = viewOf(bytes);
  const blocks: Block[] = [];
  let isLittle = true;
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < AROUND) return { kind: "ok", blocks, isCut: true };
    // A section's type reads the same in both byte orders; its first field states the order of the rest.
    const isSection = view.getUint32(at) === SECTION;
    if (isSection) isLittle = view.getUint32(at + 8, true) === BYTE_ORDER;
    if (isSection && !isLittle && view.getUint32(at + 8) !== BYTE_ORDER)
      return { kind: "problem", problem: `byte ${at}: a section begins there without the mark of its byte order` };
    const length = view.getUint32(at + 4, isLittle);
    if (length < AROUND || length % 4 !== 0)
      return { kind: "problem", problem: `byte ${at}: a block of ${length} bytes cannot be` };
    if (at + length > bytes.length) return { kind: "ok", blocks, isCut: true };
    const again = view.getUint32(at + length - 4, isLittle);
    if (again !== length)
      return { kind: "problem", problem: `byte ${at}: the block says ${length} bytes first, and ${again} at its end` };
    const body = new DataView(bytes.buffer, bytes.byteOffset + at + 8, length - AROUND);
    blocks.push({ type: view.getUint32(at, isLittle), body, isLittle });
    at += length;
  }
  return { kind: "ok", blocks, isCut: false };
}

/** The options of a block, starting at that byte of its body; an option that does not fit ends the list. */
export function optionsOf({ body, isLittle }: Block, from: number): readonly BlockOption[] {
  const options: BlockOption[] = [];
  for (let at = from; at + 4 <= body.byteLength; ) {
    const code = body.getUint16(at, isLittle);
    const length = body.getUint16(at + 2, isLittle);
    if (code === 0 || at + 4 + length > body.byteLength) break;
    options.push({ code, value: new Uint8Array(body.buffer, body.byteOffset + at + 4, length) });
    at += 4 + aligned(length);
  }
  return options;
}

/** The text of an option; undefined when it is absent. */
export function optionText(options: readonly BlockOption[], code: number): string | undefined {
  const found = options.find((option) => option.code === code);
  return found && Buffer.from(found.value).toString("utf8");
}

/** The length rounded up to a multiple of four. */
export function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
