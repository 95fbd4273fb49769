/** Splits one direction of a line into frames and keeps the transmitted bytes of each, which a receiver does not. */
import {
  type Body,
  crc16,
  decodeBody,
  type FrameEvent,
  FrameReader,
  MAX_FRAME_LIMIT,
  mayCome,
} from "@porchlight/shared/wire";
import { profileFaults } from "../conform/profile.ts";
import type { Sender } from "./capture.ts";

const END = 0xc0;
const ESC = 0xdb;
const CRC_BYTES = 2;
/** Bytes to keep of a piece: more than twice the largest frame is noise, and its beginning is enough. */
const MOST_BYTES = 2 * MAX_FRAME_LIMIT + 2;

/** The content between two ENDs. */
export interface Piece {
  /** The bytes as transmitted, escaped, with their ENDs. */
  readonly raw: Uint8Array;
  /** Body of a good frame. */
  readonly body?: Uint8Array | undefined;
  readonly damage?: Damage | undefined;
}

export class Cutter {
  #bytes: number[] = [];
  #isBegun = false;
  #dropped = 0;
  /** The largest frame that the receiver accepts, bytes, unescaped, CRC included. */
  limit = MAX_FRAME_LIMIT;

  /** The pieces that these bytes complete, in order. */
  push(bytes: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    for (const byte of bytes) {
      if (byte !== END) this.#take(byte);
      else {
        if (this.#bytes.length > 0) pieces.push(this.#cut(true));
        this.#isBegun = true;
      }
    }
    return pieces;
  }

  /** The open piece, at the end of the input. */
  finish(): Piece | undefined {
    return this.#bytes.length > 0 ? this.#cut(false) : undefined;
  }

  #take(byte: number): void {
    if (this.#bytes.length < MOST_BYTES) this.#bytes.push(byte);
    else this.#dropped += 1;
  }

  #cut(isEnded: boolean): Piece {
    const inner = this.#bytes;
    const raw = Uint8Array.from([...(this.#isBegun ? [END] : []), ...inner, ...(isEnded ? [END] : [])]);
    const [event] = new FrameReader(this.limit).push(Uint8Array.from([...inner, END]));
    const dropped = this.#dropped;
    const isWhole = isEnded && this.#isBegun;
    this.#bytes = [];
    this.#dropped = 0;
    if (event?.kind === "frame") {
      const which = isEnded ? "begin" : "end";
      const damage = isWhole ? undefined : { rule: "F4", what: `The frame does not ${which} with END.` };
      return { raw, body: event.body, damage };
    }
    if (!isEnded) return { raw, damage: { rule: "F4", what: "A frame was begun and not ended." } };
    return { raw, damage: damageOf(event, inner, this.limit, dropped) };
  }
}

/** Why a receiver drops it, with the number of the rule. */
function damageOf(event: FrameEvent | undefined, inner: readonly number[], limit: number, dropped: number): Damage {
  switch (event?.kind === "damage" ? event.reason : undefined) {
    case "bad_escape":
      return { rule: "F6", what: `DB stands before ${afterEscape(inner)}, not before DC or DD.` };
    case "too_long":
      return { rule: "F7", what: `The frame has ${plain(inner).length + dropped} bytes; the receiver takes ${limit}.` };
    case "too_short":
      return { rule: "F8", what: "The frame has fewer than three bytes." };
    default: {
      const bytes = Uint8Array.from(plain(inner));
      const [high = 0, low = 0] = bytes.slice(-CRC_BYTES);
      const of = crc16(bytes, bytes.length - CRC_BYTES);
      const hint = of === ((low << 8) | high) ? " It is sent with its low byte first." : "";
      return { rule: "F8", what: `Bad CRC: it is ${hex4((high << 8) | low)}, and of this body ${hex4(of)}.${hint}` };
    }
  }
}

function plain(inner: readonly number[]): number[] {
  return inner.flatMap((byte, at) => {
    if (byte === ESC) return [];
    if (inner[at - 1] !== ESC) return [byte];
    return [byte === 0xdc ? END : ESC];
  });
}

function afterEscape(inner: readonly number[]): string {
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] !== ESC) continue;
    const next = inner[at + 1];
    if (next !== 0xdc && next !== 0xdd) return next === undefined ? "END" : hex2(next);
    at += 1;
  }
  return "another byte";
}

const hex2 = (byte: number) => byte.toString(16).padStart(2, "0").toUpperCase();
const hex4 = (crc: number) => crc.toString(16).padStart(4, "0").toUpperCase();

/** A violation in a good frame's body, with the number of its rule in the protocol document. */
export interface Damage {
  /** Number of the rule in the protocol document. */
  readonly rule: string;
  readonly what: string;
}

/** Why a receiver drops the body, answers it with ERROR or ignores it; undefined for a valid message. */
export function bodyDamage(body: Uint8Array, from: Sender | undefined): Damage | undefined {
  const stated = decodeBody(body);
  switch (stated.kind) {
    case "message":
      return wrongSide(stated, from);
    case "damage":
      return dropped(stated.reason, body);
    case "unknown_type":
      return { rule: "W2", what: `There is no message of type ${stated.type}.` };
    case "malformed":
      return stated.type === "HELLO" || stated.type === "HELLO_ACK"
        ? { rule: "M6", what: `A key of ${stated.type} is missing, of the wrong type or out of range.` }
        : { rule: "W3", what: `A field of ${stated.type} is missing or wrong.` };
    case "other_version":
      return { rule: "M6", what: `${stated.type} of version ${stated.version}.` };
  }
}

function wrongSide({ message }: Body & { kind: "message" }, from: Sender | undefined): Damage | undefined {
  if (from === undefined || mayCome(message.type, from)) return undefined;
  return { rule: "W4", what: `${message.type} is the other side's to send.` };
}

/** The violated rule of the CBOR profile: a receiver need not know it, but it helps users. */
function dropped(reason: "bad_cbor" | "trailing_bytes" | "bad_message", body: Uint8Array): Damage {
  if (reason === "bad_message")
    return { rule: "W1", what: "It is no array that begins with a type and a seq of at most 65535." };
  if (reason === "trailing_bytes") return { rule: "F9", what: "There are bytes after the CBOR item." };
  const fatal = profileFaults(body).find(({ rule }) => rule !== "C1");
  return fatal ?? { rule: "C8", what: "It is no CBOR of the profile." };
}
