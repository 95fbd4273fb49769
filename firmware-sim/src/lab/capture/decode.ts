/** The decoded frame log: bytes of both directions in, one line out for each frame, in words and with its damage. */
import { printable } from "@porchlight/shared/model";
import { decodeBody, type Message } from "@porchlight/shared/wire";
import type { Passed, Sender } from "./capture.ts";
import { Cutter, type Piece } from "./cutter.ts";
import { bodyDamage, type Damage } from "./damage.ts";
import { spaced } from "./hex.ts";
import { inWords } from "./words.ts";

/** One frame, or bytes that form none. */
export interface DecodedFrame {
  /** ms since the capture began, when its last byte passed; undefined for bytes without a time. */
  readonly t: number | undefined;
  readonly dir: Sender | undefined;
  readonly node?: string | undefined;
  /** As it passed. */
  readonly bytes: Uint8Array;
  readonly message: Message | undefined;
  readonly damage: Damage | undefined;
}

/** Bytes of a line; who sent them and when may be unknown. */
export type Some = Pick<DecodedFrame, "t" | "dir" | "node" | "bytes">;

interface Direction {
  readonly cutter: Cutter;
  last: Some;
}

/** Decodes as bytes come. It remembers what stands open in each direction, and the limit that a node stated in HELLO. */
export class Decoder {
  readonly #directions = new Map<string, Direction>();

  /** The frames that these bytes complete. */
  push(some: Some): DecodedFrame[] {
    const direction = this.#direction(some.dir, some.node, some);
    direction.last = some;
    return direction.cutter.push(some.bytes).map((piece) => this.#decoded(piece, some));
  }

  /** What stands open in either direction, when no more will come. */
  finish(): DecodedFrame[] {
    return [...this.#directions.values()].flatMap(({ cutter, last }) => {
      const piece = cutter.finish();
      return piece ? [this.#decoded(piece, last)] : [];
    });
  }

  #decoded({ raw, body, damage }: Piece, { t, dir, node }: Some): DecodedFrame {
    const said = body && decodeBody(body);
    const message = said?.kind === "message" ? said.message : undefined;
    if (message?.type === "HELLO") {
      const hub = this.#direction("hub", node, { t, dir: "hub", node, bytes: raw });
      hub.cutter.limit = message.info.max;
    }
    return { t, dir, node, bytes: raw, message, damage: (body && bodyDamage(body, dir)) ?? damage };
  }

  #direction(dir: Sender | undefined, node: string | undefined, some: Some): Direction {
    const key = `${dir} ${node}`;
    const known = this.#directions.get(key);
    if (known) return known;
    const direction = { cutter: new Cutter(), last: some };
    this.#directions.set(key, direction);
    return direction;
  }
}

/** Every frame of a capture, by the time of its last byte; what was never ended comes last. */
export function decodeAll(passed: readonly Some[] | readonly Passed[]): DecodedFrame[] {
  const decoder = new Decoder();
  return [...passed.flatMap((some) => decoder.push(some)), ...decoder.finish()];
}

/** Bytes shown of one frame: noise is told by its beginning. */
const MOST_SHOWN = 512;

/** One frame as a line of text: when, who, what, what is wrong, and its bytes. */
export function frameLine(frame: DecodedFrame): string {
  const { t, dir, node, bytes, message, damage } = frame;
  const time = t === undefined ? [] : [(t / 1000).toFixed(3).padStart(9)];
  const said = message ? inWords(message) : "?";
  const wrong = damage ? [`! ${damage.rule}: ${damage.what}`] : [];
  const hex = spaced(bytes.subarray(0, MOST_SHOWN)) + (bytes.length > MOST_SHOWN ? " …" : "");
  const who = node === undefined ? [] : [node];
  const parts = [...time, ...who, ...(dir === undefined ? [] : [dir.padEnd(4)]), said, ...wrong, `[${hex}]`];
  return printable(parts.join("  "));
}

/** One frame as a line of NDJSON. */
export function frameJson({ t, dir, node, bytes, message, damage }: DecodedFrame): string {
  const words = message && inWords(message);
  return JSON.stringify({
    t,
    dir,
    node,
    hex: Buffer.from(bytes).toString("hex").toUpperCase(),
    words,
    message,
    damage,
  });
}
