/** Reads pcapng as a capture: files that `write.ts` wrote, also after Wireshark has saved them; anything else is rejected. */
import type { Passed, ReadCapture, Sender } from "./capture.ts";
import {
  aligned,
  type Block,
  COMMENT,
  cutBlocks,
  INTERFACE,
  INTERFACE_NAME,
  INTERFACE_RESOLUTION,
  optionsOf,
  optionText,
  PACKET,
  PACKET_FLAGS,
  SECTION,
} from "./pcapng-blocks.ts";
import { DIRECTION, INPUT, LINK_TYPE, THE_LINE } from "./write-pcapng.ts";

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
