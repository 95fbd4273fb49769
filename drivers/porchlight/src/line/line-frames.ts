/**
 * Groups the frames of one line into exchanges: a request with its copies and answers, a report with its acknowledgement. It knows the
 * protocol, and not the limits of the log.
 *
 * Invariant: a frame is matched to an exchange by its seq and by the types that may answer it, as at both ends of the line.
 */
import { BoundedMap, type Clock } from "@porchlight/shared/kernel";
import { MOST_FRAMES_OF_EXCHANGE, type PropertyAddress } from "@porchlight/shared/model";
import {
  addressOf,
  type BodyDamage,
  type FrameDamage,
  MESSAGES,
  type Message,
  type MessageOf,
  type Places,
} from "@porchlight/shared/wire";

interface Dated {
  /** Monotonic ms. */
  readonly at: number;
}
/** `sent`: the bytes of the frame. `received`: its body, from which the frame is encoded again; the encoding is unique. */
export type KeptFrame = Dated &
  (
    | { readonly kind: "sent"; readonly bytes: Uint8Array }
    | { readonly kind: "received"; readonly bytes: Uint8Array }
    | { readonly kind: "damaged"; readonly reason: FrameDamage | BodyDamage }
  );

/** An exchange's place in the log: only `frame-log.ts` reads and writes it. */
export interface LogPlace {
  /** The exchanges of its property, the newest last. */
  readonly siblings: Exchange[];
  /** Its size. */
  bytes: number;
  older: Exchange | undefined;
  newer: Exchange | undefined;
}

export interface Exchange {
  readonly kind: "read" | "write" | "report";
  readonly device: string;
  readonly address: PropertyAddress;
  readonly command: string | undefined;
  readonly frames: KeptFrame[];
  /** The answer has come; for a report: it has been acknowledged. */
  isAnswered: boolean;
  /** Evicted: no frame of it is kept any more. */
  isGone: boolean;
  /** Undefined while no frame of it is kept. */
  place: LogPlace | undefined;
}

interface Asked extends Exchange {
  readonly answer: string | undefined;
}

/** More than the windows of both sides can have open. */
const MOST_OPEN = 16;
const IDENTIFY = { service: "Identify", index: "0", property: "active" };
/** Maximum number of damaged frames of one exchange: on a noisy line they must leave room for the answer. */
const MOST_DAMAGED = 4;

export class LineFrames implements FrameTap {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #keep: (exchange: Exchange, frame: KeptFrame) => void;
  /** By the hub's seq. */
  readonly #asked = new BoundedMap<number, Asked>(MOST_OPEN);
  /** By the node's seq. */
  #reported = new BoundedMap<number, Exchange>(MOST_OPEN);
  #places: Places = [];

  /** @param keep adds a frame to an exchange: the first frame adds the exchange to the log */
  constructor(clock: Pick<Clock, "monotonic">, keep: (exchange: Exchange, frame: KeptFrame) => void) {
    this.#clock = clock;
    this.#keep = keep;
  }

  came(message: Message, body: Uint8Array): void {
    switch (message.type) {
      case "HELLO":
        // A new boot numbers its reports anew.
        this.#reported = new BoundedMap(MOST_OPEN);
        this.#places = message.info.devices;
        break;
      case "CHANGED":
        this.#places = message.devices;
        break;
      case "REPORT":
        this.#reports(message, body);
        break;
      case "VALUE":
      case "WRITTEN":
      case "ACK":
      case "ERROR": {
        const exchange = this.#asked.get(message.seq);
        if (!exchange || (message.type !== "ERROR" && message.type !== exchange.answer)) break;
        exchange.isAnswered = true;
        this.#add(exchange, { kind: "received", at: this.#clock.monotonic(), bytes: body });
        break;
      }
    }
  }

  damaged(reason: FrameDamage | BodyDamage): void {
    for (const [, exchange] of this.#asked) {
      const damaged = exchange.frames.filter(({ kind }) => kind === "damaged").length;
      if (exchange.isAnswered || exchange.frames.length === 0 || damaged >= MOST_DAMAGED) continue;
      this.#add(exchange, { kind: "damaged", at: this.#clock.monotonic(), reason });
    }
  }

  asked(message: Message, bytes: Uint8Array, command: string | undefined): void {
    const known = this.#asked.get(message.seq);
    const isCopy = known?.frames[0]?.kind === "sent" && known.frames[0].bytes === bytes;
    const exchange = isCopy ? known : this.#begin(message, command);
    if (exchange) this.#add(exchange, { kind: "sent", at: this.#clock.monotonic(), bytes });
  }

  answered(message: Message, bytes: Uint8Array): void {
    const exchange = this.#reported.get(message.seq);
    if (!exchange || (message.type !== "ACK" && message.type !== "ERROR")) return;
    if (message.type === "ACK") exchange.isAnswered = true;
    this.#add(exchange, { kind: "sent", at: this.#clock.monotonic(), bytes });
  }

  #begin(message: Message, command: string | undefined): Exchange | undefined {
    if (message.type !== "READ" && message.type !== "WRITE" && message.type !== "IDENTIFY") return undefined;
    const device = this.#places[message.device];
    if (!device) return undefined;
    const address = message.type === "IDENTIFY" ? IDENTIFY : addressOf(message);
    const kind = message.type === "READ" ? "read" : "write";
    const { answer } = MESSAGES[message.type];
    const asked: Asked = { ...begun(kind, device, address, command), answer };
    this.#asked.set(message.seq, asked);
    return asked;
  }

  #reports(message: MessageOf<"REPORT">, bytes: Uint8Array): void {
    const device = this.#places[message.device];
    if (!device) return;
    const known = this.#reported.get(message.seq);
    const received = { kind: "received", at: this.#clock.monotonic(), bytes } as const;
    if (known && isSame(known, received)) {
      this.#add(known, received);
      return;
    }
    const report = begun("report", device, addressOf(message));
    this.#reported.set(message.seq, report);
    this.#add(report, received);
  }

  #add(exchange: Exchange, frame: KeptFrame): void {
    if (!exchange.isGone && exchange.frames.length < MOST_FRAMES_OF_EXCHANGE) this.#keep(exchange, frame);
  }
}

function begun(kind: Exchange["kind"], device: string, address: PropertyAddress, command?: string): Exchange {
  return { kind, device, address, command, frames: [], isAnswered: false, isGone: false, place: undefined };
}

/** Whether it is the same report again: seqs are reused after 65,536. */
function isSame({ frames: [first] }: Exchange, { bytes }: { readonly bytes: Uint8Array }): boolean {
  return first?.kind === "received" && Buffer.compare(first.bytes, bytes) === 0;
}

/** A line's interface to the log, so that a line does not depend on the log. It runs for every frame, so it only records. */
export interface FrameTap {
  /** A valid message has arrived. @param body without CRC and escapes */
  came(message: Message, body: Uint8Array): void;
  /** Damaged input has arrived. */
  damaged(reason: FrameDamage | BodyDamage): void;
  /** A request of the hub leaves, or leaves again. @param command the ID of the command that it executes */
  asked(message: Message, frame: Uint8Array, command: string | undefined): void;
  /** The hub answers a request of the node. */
  answered(message: Message, frame: Uint8Array): void;
}
