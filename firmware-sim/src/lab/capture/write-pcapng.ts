/** Writes a capture as pcapng, for Wireshark and other readers: a packet for each frame, an interface for each line. */
import type { Passed, Sender } from "./capture.ts";
import { type DecodedFrame, Decoder, type Some } from "./decode.ts";
import {
  type BlockOption,
  BYTE_ORDER,
  blockOf,
  COMMENT,
  INTERFACE,
  INTERFACE_DESCRIPTION,
  INTERFACE_NAME,
  INTERFACE_RESOLUTION,
  numbers,
  PACKET,
  PACKET_FLAGS,
  padded,
  SECTION,
  SECTION_PROGRAM,
  textOption,
} from "./pcapng-blocks.ts";

/** LINKTYPE_USER0, whose content its users agree on. Here: the bytes of a frame, as transmitted. */
export const LINK_TYPE = 147;
/** Name of the line in a capture of a single node. */
export const THE_LINE = "line";
/** Comment of a packet that `fuzz` sent. */
export const INPUT = "input";

/** Direction of a packet, from the hub's point of view: what the hub sends is outbound. */
export const DIRECTION: Readonly<Record<Sender, number>> = { node: 1, hub: 2 };

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
