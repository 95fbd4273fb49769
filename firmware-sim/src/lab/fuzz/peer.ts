/** The other side of the fuzzer, node or hub: it can be greeted, sent inputs, checked, and in some cases restarted. */
import { type Clock, sleep } from "@porchlight/shared/kernel";
import { type ByteLink, type MessageOf, PINGS, TIMES } from "@porchlight/shared/wire";
import type { Sender } from "../capture/capture.ts";
import type { Vocabulary } from "./inputs.ts";
import type { FuzzLine, OnPassed } from "./line.ts";

/** Result of a check. All but `answers` are findings. */
export type Health =
  | { readonly kind: "answers" }
  /** Silent, and silent again on a new line and after a new handshake. */
  | { readonly kind: "hangs" }
  /** A board sent HELLO with another `boot` without having been reset. */
  | { readonly kind: "rebooted" }
  /** Its line or process ended, and did not come back. */
  | { readonly kind: "gone"; readonly reason: string };

export type Finding = Exclude<Health, { kind: "answers" }>;

/** Observations that are counted but are no finding. */
export interface Sightings {
  /** Number of lines that the other side closed. */
  closed: number;
  /** Number of silences that ended on a new line. */
  recovered: number;
}

export interface Peer {
  /** The side that the fuzzer plays. */
  readonly side: Sender;
  /** The names to use in inputs, once the peer has been greeted. */
  readonly words: Vocabulary;
  readonly sightings: Readonly<Sightings>;
  /** How its process ended, as a sentence without its full stop; undefined while it runs, and for a board. */
  readonly ended?: string | undefined;
  /** Receives all traffic. */
  onPassed: OnPassed;
  /** Brings it to a state in which it accepts requests; false when it does not answer. */
  meet(): Promise<boolean>;
  /** Restarts it as far as possible, then greets it; absent when it cannot be restarted. */
  readonly renew?: (() => Promise<boolean>) | undefined;
  send(bytes: Uint8Array): Promise<void>;
  /** Checks whether it still answers, with a second chance. */
  look(): Promise<Health>;
  /** Whether it fails to answer on an open line, without a second chance: a fast check for hundreds of tries. */
  isSilent(): Promise<boolean>;
  /** Closes the peer; pending waits fail because the line is down. */
  close(): void;
}

/** Time in which a lost line must come back, ms, and the interval of the attempts. */
const BACK_WITHIN = 10_000;
const LOOK_EVERY = 250;

export type Opened =
  | { readonly kind: "open"; readonly link: ByteLink }
  | { readonly kind: "gone"; readonly reason: string };

/** Opens a line, with repeated attempts for a while. @param isOver whether the peer closed it */
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
 * @param seq of the first; far from those of the inputs, so that no answer to an input matches
 * @param more time that a PONG may take beyond the protocol's limit, ms
 */
export async function pongs(line: FuzzLine, seq: number, more: number): Promise<boolean> {
  for (let ping = 0; ping < PINGS && line.closed === undefined; ping++) {
    const asked = (seq + ping) & 0xffff;
    const isPong = (message: { type: string; seq: number }) => message.type === "PONG" && message.seq === asked;
    if (await line.ask({ type: "PING", seq: asked }, TIMES.pong + more, isPong)) return true;
  }
  return false;
}

/** Whether a HELLO shows another boot than before; 0 shows nothing. */
export function isAnotherBoot(known: number | undefined, { info }: MessageOf<"HELLO">): boolean {
  return known !== undefined && known !== 0 && info.boot !== 0 && info.boot !== known;
}
