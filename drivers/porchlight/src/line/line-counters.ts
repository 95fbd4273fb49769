/** The counters of one line, with the names that logs, `status` and tests share. */
import type { BodyDamage, FrameDamage } from "@porchlight/shared/wire";

export interface LineCounters {
  /** Valid frames that arrived. */
  frames: number;
  /** Frames that left. */
  sent: number;
  /** Frames that were dropped because of the named damage. */
  badCrc: number;
  badEscape: number;
  tooLong: number;
  tooShort: number;
  badCbor: number;
  trailingBytes: number;
  badMessage: number;
  /** Answered with ERROR 1 and 2. */
  unknownType: number;
  malformed: number;
  /** Messages that a node must not send, echoes, and unexpected answers. */
  ignored: number;
  /** Frames that were not sent, because too many waited for the line. */
  notSent: number;
  /** Tries of requests after the first, and requests that ended without an answer. */
  triedAgain: number;
  silences: number;
  reboots: number;
  downs: number;
  /** REPORTs accepted, repeated, refused (with the code for the reason), postponed (ERROR 9), over the rate, or failed in the store. */
  reports: number;
  reportsRepeated: number;
  reportsRefused: number;
  reportsPutOff: number;
  reportsOverRate: number;
  reportsFailed: number;
  /** Values of a type other than described (not stored), and values outside the described range (stored). */
  wrongType: number;
  outOfRange: number;
  /** Parts of descriptions that were ignored. */
  leftOut: number;
}

export function newLineCounters(): LineCounters {
  return {
    frames: 0,
    sent: 0,
    badCrc: 0,
    badEscape: 0,
    tooLong: 0,
    tooShort: 0,
    badCbor: 0,
    trailingBytes: 0,
    badMessage: 0,
    unknownType: 0,
    malformed: 0,
    ignored: 0,
    notSent: 0,
    triedAgain: 0,
    silences: 0,
    reboots: 0,
    downs: 0,
    reports: 0,
    reportsRepeated: 0,
    reportsRefused: 0,
    reportsPutOff: 0,
    reportsOverRate: 0,
    reportsFailed: 0,
    wrongType: 0,
    outOfRange: 0,
    leftOut: 0,
  };
}

/** The counter of each kind of damage. */
export const DAMAGE: Readonly<Record<FrameDamage | BodyDamage, keyof LineCounters>> = {
  bad_crc: "badCrc",
  bad_escape: "badEscape",
  too_long: "tooLong",
  too_short: "tooShort",
  bad_cbor: "badCbor",
  trailing_bytes: "trailingBytes",
  bad_message: "badMessage",
};
