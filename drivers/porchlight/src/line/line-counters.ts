/** What is counted of one line, by the names that logs, `status` and tests use alike. */
import type { BodyDamage, FrameDamage } from "@porchlight/shared/wire";

export interface LineCounters {
  /** Good frames that came. */
  frames: number;
  /** Frames that left. */
  sent: number;
  /** Dropped for what is wrong with the frame. */
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
  /** Not the node's to send, an echo, or an unexpected answer. */
  ignored: number;
  /** Frames that did not leave, because too many waited for the line. */
  notSent: number;
  /** Tries of requests after their first, and requests that ended in silence. */
  triedAgain: number;
  silences: number;
  reboots: number;
  downs: number;
  /** REPORTs taken, known already, refused (with the code that says why), put off (ERROR 9), over the rate, or failed in the store. */
  reports: number;
  reportsRepeated: number;
  reportsRefused: number;
  reportsPutOff: number;
  reportsOverRate: number;
  reportsFailed: number;
  /** Values of a type other than described (not stored), and outside what is described (stored). */
  wrongType: number;
  outOfRange: number;
  /** Things left out of descriptions. */
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
