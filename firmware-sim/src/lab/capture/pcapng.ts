/**
 * Reads and writes a capture as pcapng (draft-ietf-opsawg-pcapng), for Wireshark and other readers: a packet for each frame. Files are also
 * read after Wireshark has saved them.
 */
import type { Passed, ReadCapture, Sender } from "./capture.ts";
import { type DecodedFrame, Decoder, type Some } from "./decode.ts";

/** Reads and writes the blocks of the pcapng format (draft-ietf-opsawg-pcapng) with their options, independent of their content. */

export const SECTION = 0x0a0d0d0a;
export const INTERFACE = 1;
export const PACKET = 6;

/** Option codes in use; codes from 2 on depend on the type of block. */
const COMMENT = 1;
const SECTION_PROGRAM = 4;
const INTERFACE_NAME = 2;
const INTERFACE_DESCRIPTION = 3;
const INTERFACE_RESOLUTION = 9;
const PACKET_FLAGS = 2;

/** First field of a section, in the writer's byte order. */
const BYTE_ORDER = 0x1a2b3c4d;

interface BlockOption {
  readonly code: number;
  readonly value: Uint8Array;
}

interface Block {
  readonly type: number;
  /** The content, without type, lengths and padding. */
  readonly body: DataView;
  /** Whether this section's numbers are little endian. */
  readonly isLittle: boolean;
}

/** Bytes around a body: type and two lengths. */
const AROUND = 12;

/** A block, little endian. @param fields content before the options; a multiple of four bytes */
function blockOf(type: number, fields: Uint8Array, options: readonly BlockOption[] = []): Uint8Array {
  const parts = [fields, ...(options.length > 0 ? [...options.map(optionBytes), new Uint8Array(4)] : [])];
  const length = AROUND + parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([numbers(type, length), ...parts, numbers(length)]);
}

function textOption(code: number, text: string): BlockOption {
  return { code, value: Buffer.from(text, "utf8") };
}

/** Numbers of 32 bits, little endian. */
function numbers(...all: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * all.length);
  const view = new DataView(bytes.buffer);
  for (const [at, number] of all.entries()) view.setUint32(4 * at, number, true);
  return bytes;
}

/** Bytes padded with zeros to a multiple of four. */
function padded(bytes: Uint8Array): Uint8Array {
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

type CutBlocks =
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
function optionsOf({ body, isLittle }: Block, from: number): readonly BlockOption[] {
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
function optionText(options: readonly BlockOption[], code: number): string | undefined {
  const found = options.find((option) => option.code === code);
  return found && Buffer.from(found.value).toString("utf8");
}

/** The length rounded up to a multiple of four. */
function aligned(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** LINKTYPE_USER0, whose content its users agree on. Here: the bytes of a frame, as transmitted. */
const LINK_TYPE = 147;
/** Name of the line in a capture of a single node. */
const THE_LINE = "line";
/** Comment of a packet that `fuzz` sent. */
const INPUT = "input";

/** Direction of a packet, from the hub's point of view: what the hub sends is outbound. */
const DIRECTION: Readonly<Record<Sender, number>> = { node: 1, hub: 2 };

/** Timestamps count microseconds. */
const MICROSECONDS = 6;
const VERSION = numbers(1);
/** Section length "unknown", because the file is written incrementally. */
const UNKNOWN = numbers(0xffffffff, 0xffffffff);

export class PcapngWriter {
  readonly #of: string;
  readonly #at: number;
  readonly #decoder = new Decoder();
  readonly #lines = new Map<string, number>();

  /** @param of subject of the capture, in words @param at start of the capture, wall-clock ms */
  constructor(of: string, at: number) {
    this.#of = of;
    this.#at = at;
  }

  /** The beginning of the file. */
  header(): Uint8Array {
    const options = [textOption(COMMENT, this.#of), textOption(SECTION_PROGRAM, "porchlight-sim")];
    return blockOf(SECTION, Buffer.concat([numbers(BYTE_ORDER), VERSION, UNKNOWN]), options);
  }

  /** The frames that these bytes complete. */
  passed(some: Passed | Some): Uint8Array {
    const isInput = "input" in some && some.input === true;
    return Buffer.concat(this.#decoder.push(some).map((frame) => this.#packet(frame, isInput)));
  }

  /** The open frames of both directions, at the end of the capture. */
  finish(): Uint8Array {
    return Buffer.concat(this.#decoder.finish().map((frame) => this.#packet(frame, false)));
  }

  #packet({ t = 0, dir, node = THE_LINE, bytes, damage }: DecodedFrame, isInput: boolean): Uint8Array {
    const known = this.#lines.get(node);
    const line = known ?? this.#lines.size;
    this.#lines.set(node, line);
    const microseconds = Math.round((this.#at + t) * 1000);
    const time = [Math.floor(microseconds / 2 ** 32), microseconds % 2 ** 32];
    const fields = numbers(line, ...time, bytes.length, bytes.length);
    const options: BlockOption[] = [
      ...(isInput ? [textOption(COMMENT, INPUT)] : []),
      ...(damage ? [textOption(COMMENT, `${damage.rule}: ${damage.what}`)] : []),
      { code: PACKET_FLAGS, value: numbers(dir === undefined ? 0 : DIRECTION[dir]) },
    ];
    const packet = blockOf(PACKET, Buffer.concat([fields, padded(bytes)]), options);
    return known === undefined ? Buffer.concat([this.#interface(node), packet]) : packet;
  }

  #interface(node: string): Uint8Array {
    return blockOf(INTERFACE, numbers(LINK_TYPE, 0), [
      textOption(INTERFACE_NAME, node),
      textOption(INTERFACE_DESCRIPTION, this.#of),
      { code: INTERFACE_RESOLUTION, value: Uint8Array.of(MICROSECONDS) },
    ]);
  }
}

/** A complete capture. */
export function pcapngOf(of: string, at: number, passed: readonly (Passed | Some)[]): Uint8Array {
  const writer = new PcapngWriter(of, at);
  return Buffer.concat([writer.header(), ...passed.map((piece) => writer.passed(piece)), writer.finish()]);
}

interface Line {
  readonly linkType: number;
  readonly name: string;
  /** Timestamp units in a ms. */
  readonly perMs: number;
}

/** An interface without a resolution of its own counts microseconds. */
const RESOLUTION = 6;
/** Size of a packet's fields before its bytes. */
const PACKET_HEAD = 20;

/** Reads a capture. An incomplete last block, as a killed writer leaves it, is ignored. */
export function readPcapng(bytes: Uint8Array): ReadCapture {
  const cut = cutBlocks(bytes);
  if (cut.kind === "problem") return { kind: "problems", problems: [cut.problem] };
  const problems: string[] = [];
  const timed: Passed[] = [];
  let of = "";
  let lines: Line[] = [];
  for (const block of cut.blocks) {
    const at = timed.length + problems.length + 1;
    if (block.type === SECTION) {
      lines = [];
      of = optionText(optionsOf(block, 16), COMMENT) ?? of;
    } else if (block.type === INTERFACE) lines.push(lineOf(block));
    else if (block.type === PACKET) {
      const read = packetOf(block, lines);
      if (typeof read === "string") problems.push(`packet ${at}: ${read}`);
      else timed.push(read);
    }
  }
  if (problems.length > 0) return { kind: "problems", problems: [...new Set(problems)] };
  const at = Math.min(...timed.map(({ t }) => t));
  // A double with ms since 1970 has room for thousandths, and no more.
  const passed = timed.map((piece) => ({ ...piece, t: Math.round((piece.t - at) * 1000) / 1000 }));
  return { kind: "ok", capture: { of, at: timed.length > 0 ? at : undefined, passed }, isCut: cut.isCut };
}

function lineOf(block: Block): Line {
  const { body, isLittle } = block;
  const options = optionsOf(block, 8);
  const [resolution = RESOLUTION] = options.find(({ code }) => code === INTERFACE_RESOLUTION)?.value ?? [];
  const perSecond = resolution & 0x80 ? 2 ** (resolution & 0x7f) : 10 ** resolution;
  return {
    linkType: body.byteLength < 8 ? -1 : body.getUint16(0, isLittle),
    name: optionText(options, INTERFACE_NAME) ?? THE_LINE,
    perMs: perSecond / 1000,
  };
}

/** The packet with its time in ms since 1970, or a sentence with its problem. */
function packetOf(block: Block, lines: readonly Line[]): Passed | string {
  const { body, isLittle } = block;
  if (body.byteLength < PACKET_HEAD) return "it is shorter than the fields of a packet";
  const word = (at: number) => body.getUint32(4 * at, isLittle);
  const line = lines[word(0)];
  if (!line) return `interface ${word(0)} is not described`;
  if (line.linkType !== LINK_TYPE)
    return `its link type is ${line.linkType}; frames of this protocol have ${LINK_TYPE}, as porchlight-sim writes them`;
  const length = word(3);
  if (PACKET_HEAD + length > body.byteLength) return `it is shorter than the ${length} bytes that it says`;
  const options = optionsOf(block, PACKET_HEAD + aligned(length));
  const dir = directionOf(options.find(({ code }) => code === PACKET_FLAGS)?.value, isLittle);
  if (!dir) return "nothing says whether it went in or out";
  const isInput = options.some(({ code, value }) => code === COMMENT && Buffer.from(value).toString() === INPUT);
  return {
    t: (word(1) * 2 ** 32 + word(2)) / line.perMs,
    dir,
    bytes: new Uint8Array(body.buffer, body.byteOffset + PACKET_HEAD, length),
    ...(line.name === THE_LINE ? {} : { node: line.name }),
    ...(isInput ? { input: true as const } : {}),
  };
}

function directionOf(flags: Uint8Array | undefined, isLittle: boolean): Sender | undefined {
  if (flags?.length !== 4) return undefined;
  const direction = new DataView(flags.buffer, flags.byteOffset).getUint32(0, isLittle) & 3;
  return direction === DIRECTION.hub ? "hub" : direction === DIRECTION.node ? "node" : undefined;
}
