/** Whoever is fuzzed, as far as the fuzzer cares: it is met, is told things, is looked at, and may be started anew. */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { type ByteLink, type MessageOf, PINGS, TIMES } from "@porchlight/shared/wire";
import type { Sender } from "../capture/capture.ts";
import type { Vocabulary } from "./honest.ts";
import type { FuzzLine, OnPassed } from "./line.ts";

/** What a look has found. All but `answers` are findings. */
export type Health =
  | { readonly kind: "answers" }
  /** Silent, and silent again on a line and with a handshake that were fresh. */
  | { readonly kind: "hangs" }
  /** A board has said HELLO with another `boot`, without a reset. */
  | { readonly kind: "rebooted" }
  /** Its line or its process has ended, and has not come back. */
  | { readonly kind: "gone"; readonly reason: string };

export type Finding = Exclude<Health, { kind: "answers" }>;

/** What is seen, counted, and no finding by itself. */
export interface Sightings {
  /** Lines that the other side has closed. */
  closed: number;
  /** Silences that ended on a fresh line. */
  recovered: number;
}

export interface Peer {
  /** Who is played. */
  readonly side: Sender;
  /** What there is to name, once it has been met. */
  readonly words: Vocabulary;
  readonly sightings: Readonly<Sightings>;
  /** How its process has ended, as a sentence without its full stop; undefined while it runs, and for a board. */
  readonly ended?: string | undefined;
  /** Where what passes must be told. */
  onPassed: OnPassed;
  /** Brings it to where it takes requests; false when there is no answer. */
  meet(): Promise<boolean>;
  /** The same with one that has been started anew, as far as that can be done; left out when it cannot. */
  readonly renew?: (() => Promise<boolean>) | undefined;
  send(bytes: Uint8Array): Promise<void>;
  /** Whether it answers still, with a second chance. */
  look(): Promise<Health>;
  /** Whether it does not answer on a line that stands, without a second chance: quick, for looks by the hundred. */
  isSilent(): Promise<boolean>;
  /** Lets go of it; what waits for it is told that its line is down. */
  close(): void;
}

/** How long a line that is gone may take to come back, ms, and how often it is looked for. */
const BACK_WITHIN = 10_000;
const LOOK_EVERY = 250;

export type Opened =
  | { readonly kind: "open"; readonly link: ByteLink }
  | { readonly kind: "gone"; readonly reason: string };

/** Opens a line, again and again for a while. @param isOver whether the peer closed it */
export async function comeBack(clock: Clock, open: () => Promise<ByteLink>, isOver: () => boolean): Promise<Opened> {
  const end = clock.monotonic() + BACK_WITHIN;
  for (;;) {
    let reason = "the peer closed it";
    try {
      if (!isOver()) return { kind: "open", link: await open() };
    } catch (failure) {
      reason = failure instanceof Error ? failure.message : String(failure);
    }
    if (isOver() || clock.monotonic() >= end) return { kind: "gone", reason };
    await sleep(clock, "line to come back", LOOK_EVERY);
  }
}

/**
 * Whether one of three PINGs is answered (A2).
 * @param seq of the first; far from those of the inputs, so that an answer to one of them is none to this
 * @param more how much later than the protocol wants a PONG may come, ms
 */
export async function pongs(line: FuzzLine, seq: number, more: number): Promise<boolean> {
  for (let ping = 0; ping < PINGS && line.closed === undefined; ping++) {
    const asked = (seq + ping) & 0xffff;
    const isPong = (message: { type: string; seq: number }) => message.type === "PONG" && message.seq === asked;
    if (await line.ask({ type: "PING", seq: asked }, TIMES.pong + more, isPong)) return true;
  }
  return false;
}

/** The other side's HELLO says another boot than before; 0 says nothing. */
export function isAnotherBoot(known: number | undefined, { info }: MessageOf<"HELLO">): boolean {
  return known !== undefined && known !== 0 && info.boot !== 0 && info.boot !== known;
}
