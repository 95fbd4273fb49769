/** One direction of a line between hub and device: cuts the bytes into frames, and loses, damages, delays or holds them by the faults of the line. */
import { type Random, randomInteger } from "@porchlight/shared/kernel";
import {
  decodeBody,
  encodeFrame,
  encodeMessage,
  FrameReader,
  HUB_FRAME_LIMIT,
  type Message,
} from "@porchlight/shared/wire";
import { type Frame, machineTime } from "../record.ts";

/** The current faults of a line. The shares are of frames, 0 to 1. */
export interface LineFaults {
  readonly loseRequests: number;
  readonly loseAnswers: number;
  readonly damage: number;
  /** Bounds of each frame's delay, ms. */
  readonly delayMs: readonly [number, number];
  /** Nothing arrives until it is over; nothing is lost. */
  readonly isHeld: boolean;
  /** Each WRITE comes again under another seq, which no line does: to see the judge find it. */
  readonly isLying: boolean;
}

export const SOUND: LineFaults = {
  loseRequests: 0,
  loseAnswers: 0,
  damage: 0,
  delayMs: [0, 0],
  isHeld: false,
  isLying: false,
};

export interface FrameWayDeps {
  readonly to: Frame["to"];
  readonly line: string;
  readonly random: Random;
  readonly faults: () => LineFaults;
  readonly frames: Frame[];
  readonly deliver: (bytes: Uint8Array) => void;
}

const END = 0xc0;
const REQUESTS: ReadonlySet<string> = new Set(["WRITE", "READ"]);
const ANSWERS: ReadonlySet<string> = new Set(["WRITTEN", "VALUE", "ERROR"]);
/** How far from its own seq the lie of a WRITE is. */
const LIE = 30_000;

export class FrameWay {
  readonly #deps: FrameWayDeps;
  readonly #underWay: { readonly bytes: Uint8Array; readonly due: number }[] = [];
  #piece: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: FrameWayDeps) {
    this.#deps = deps;
  }

  /** Bytes come in at this end. */
  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#piece.push(byte);
      if (byte !== END) continue;
      const piece = Uint8Array.from(this.#piece);
      this.#piece = [];
      this.#take(piece);
    }
    // Bytes without an end are no frame, and go on unchanged.
    if (this.#piece.length > HUB_FRAME_LIMIT) this.#send(Uint8Array.from(this.#piece.splice(0)), 0);
  }

  /** Bytes that belong to no frame. */
  spoil(bytes: Uint8Array): void {
    this.#send(bytes, 0);
  }

  /** Delivers the frames that are due: to be called when the line holds nothing back any more. */
  carry(): void {
    clearTimeout(this.#timer);
    if (this.#deps.faults().isHeld) return;
    const now = machineTime();
    for (let next = this.#underWay[0]; next && next.due <= now; next = this.#underWay[0]) {
      this.#underWay.shift();
      this.#deps.deliver(next.bytes);
    }
    const [next] = this.#underWay;
    if (next) this.#timer = setTimeout(() => this.carry(), next.due - now);
  }

  /** Frames under way are lost with the line. */
  close(): void {
    clearTimeout(this.#timer);
    this.#underWay.length = 0;
  }

  #take(piece: Uint8Array): void {
    const { faults, random, to } = this.#deps;
    const { damage, loseRequests, loseAnswers, delayMs, isLying, isHeld } = faults();
    const message = messageOf(piece);
    const chance = (share: number) => share > 0 && random.fraction() < share;
    const [least, most] = delayMs;
    const delay = most === 0 ? 0 : least + random.fraction() * (most - least);
    if (
      message &&
      chance(to === "device" ? loses(message, REQUESTS, loseRequests) : loses(message, ANSWERS, loseAnswers))
    ) {
      this.#note(message, "lost");
      return;
    }
    if (message && chance(damage)) {
      this.#note(message, "damaged");
      this.#send(damaged(piece, random), delay);
      return;
    }
    if (message) this.#note(message, delay > 0 || isHeld ? "late" : "passed");
    this.#send(piece, delay);
    if (isLying && message?.type === "WRITE")
      this.#send(encodeFrame(encodeMessage({ ...message, seq: (message.seq + LIE) % 0x10000 })), delay);
  }

  #send(bytes: Uint8Array, delay: number): void {
    const due = Math.max(machineTime() + delay, this.#underWay.at(-1)?.due ?? 0);
    this.#underWay.push({ bytes, due });
    this.carry();
  }

  #note(message: Message, fate: Frame["fate"]): void {
    const { frames, line, to } = this.#deps;
    frames.push({ at: machineTime(), line, to, text: JSON.stringify(message), fate });
  }
}

function loses(message: Message, names: ReadonlySet<string>, share: number): number {
  return names.has(message.type) ? share : 0;
}

/** The message of a piece of the stream up to an END; undefined when it is none. */
function messageOf(piece: Uint8Array): Message | undefined {
  for (const event of new FrameReader(HUB_FRAME_LIMIT).push(piece)) {
    if (event.kind !== "frame") continue;
    const body = decodeBody(event.body);
    if (body.kind === "message") return body.message;
  }
  return undefined;
}

/** One byte of it is another. */
function damaged(piece: Uint8Array, random: Random): Uint8Array {
  const bytes = Uint8Array.from(piece);
  const at = randomInteger(random, Math.max(1, bytes.length - 1));
  bytes[at] = (bytes[at] ?? 0) ^ (1 + randomInteger(random, 0xff));
  return bytes;
}
