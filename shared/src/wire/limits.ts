/** The numbers of the device protocol that both sides must agree on, once. DP2 to DP5. */

export const PROTOCOL_VERSION = 1;

/** What the hub takes, and the ranges of what a node may state in HELLO. */
export const HUB_FRAME_LIMIT = 4095;
export const HUB_WINDOW = 8;
export const MIN_FRAME_LIMIT = 128;
export const MAX_FRAME_LIMIT = 4095;
export const MAX_WINDOW = 8;
export const MAX_PLACES = 128;
export const MAX_INDEX = 999;
/** Longest text of an ERROR, characters. */
export const MAX_ERROR_TEXT = 128;

/** Bounds of a DESCRIPTION: what goes past them is left out. */
export const MAX_PARTS = 64;
export const MAX_SERVICES = 64;
export const MAX_PROPERTIES = 64;
export const MAX_UNIT = 16;
export const MAX_TEXT = 64;

/** Milliseconds, unless the name says otherwise. */
export const TIMES = {
  /** Between two HELLOs, or two WHOs. */
  hello: 1000,
  /** After this long without HELLO_ACK a node says HELLO less often… */
  helloPatience: 60_000,
  /** …namely so. */
  helloSlow: 10_000,
  /** How long a HELLO answered with ERROR 11 or 12 is not repeated. */
  helloRefused: 60_000,
  /** Silence after which a try of a request has failed, on a line without a baud rate. */
  tryFails: 500,
  /** By how much other bytes that keep coming lengthen a try at most: they may be what the answer waits behind. */
  tryLengthens: 1500,
  /** Between two sendings of a REPORT or CHANGED, and before the next after ERROR 9. */
  reportAgain: 500,
  /** Between two reports of one property. */
  reportSpacing: 250,
  /** Silence after which a side sends PING. */
  silence: 5000,
  /** How long a PONG may take. */
  pong: 1000,
  /** A WRITE that takes longer is answered when it is accepted. */
  writeAnswer: 300,
  /** Between two descriptions of a whole link. */
  describeSpacing: 5000,
} as const;

/** Tries of a request before it has failed. */
export const TRIES = 3;
/** Unanswered PINGs in a row that mean that the link is down. */
export const PINGS = 3;
/** How long the hub waits before each new try after ERROR 9, ms. */
export const BUSY_WAITS: readonly number[] = [100, 200, 400];
/** Notify-only events that a node keeps waiting at least. */
export const MIN_KEPT_EVENTS = 4;
/** Reports a second that the hub takes from a link on average, and how many at once. */
export const REPORT_RATE = 50;
export const REPORT_BURST = 200;
/** (node, boot, seq) of reports that the hub remembers. */
export const REMEMBERED_REPORTS = 8;

/** The seq after `seq`: counted up by one modulo 65536. */
export function nextSeq(seq: number): number {
  return (seq + 1) & 0xffff;
}
