/** The limits and times of the device protocol that both sides must agree on. DP2 to DP5. */

export const PROTOCOL_VERSION = 1;

/** The largest frame that the hub accepts, and the ranges that a node may state in HELLO. */
export const HUB_FRAME_LIMIT = 4095;
export const HUB_WINDOW = 8;
export const MIN_FRAME_LIMIT = 128;
export const MAX_FRAME_LIMIT = 4095;
export const MAX_WINDOW = 8;
export const MAX_PLACES = 128;
export const MAX_INDEX = 999;
/** Longest text of an ERROR, characters. */
export const MAX_ERROR_TEXT = 128;

/** Bounds of a DESCRIPTION; anything beyond them is left out. */
export const MAX_PARTS = 64;
export const MAX_SERVICES = 64;
export const MAX_PROPERTIES = 64;
export const MAX_UNIT = 16;
export const MAX_TEXT = 64;

/** Milliseconds, unless the name states another unit. */
export const TIMES = {
  /** Interval between two HELLOs, or two WHOs. */
  hello: 1000,
  /** Time without HELLO_ACK after which a node sends HELLO at the slow interval. */
  helloPatience: 60_000,
  /** The slow interval of HELLO. */
  helloSlow: 10_000,
  /** Pause before the next HELLO after ERROR 11 or 12. */
  helloRefused: 60_000,
  /** Silence after which one try of a request fails, on a line without a baud rate. */
  tryFails: 500,
  /** Maximum extension of a try while other bytes keep arriving: the answer may be queued behind them. */
  tryLengthens: 1500,
  /** Interval before a REPORT or CHANGED is sent again, also after ERROR 9. */
  reportAgain: 500,
  /** Minimum interval between two reports of one property. */
  reportSpacing: 250,
  /** Silence after which a side sends PING. */
  silence: 5000,
  /** Time limit for a PONG. */
  pong: 1000,
  /** A WRITE that takes longer is answered on acceptance, before it completes. */
  writeAnswer: 300,
  /** Minimum interval between two descriptions of a whole link. */
  describeSpacing: 5000,
} as const;

/** Tries of a request before it fails. */
export const TRIES = 3;
/** Unanswered PINGs in a row after which the link is down. */
export const PINGS = 3;
/** How long the hub waits before each new try after ERROR 9, ms. */
export const BUSY_WAITS: readonly number[] = [100, 200, 400];
/** Minimum number of notify-only events that a node queues. */
export const MIN_KEPT_EVENTS = 4;
/** Reports a second that the hub accepts from a link on average, and the burst. */
export const REPORT_RATE = 50;
export const REPORT_BURST = 200;
/** Number of report keys (node, boot, seq) that the hub remembers. */
export const REMEMBERED_REPORTS = 8;

/** The seq after `seq`: counted up by one modulo 65536. */
export function nextSeq(seq: number): number {
  return (seq + 1) & 0xffff;
}
