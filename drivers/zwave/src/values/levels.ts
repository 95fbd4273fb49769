/** Levels of 0 to 99, as multilevel classes have them, as percentages: pure. */
import { type Read, readNumber, readShare } from "@porchlight/driver-kit";

/** What stands for "the last level that was not 0" when it is set. */
export const LAST_LEVEL = 255;
const FULL = 99;
/** The device does not know its level, or has the last one, which it does not report. */
const NO_LEVEL = [254, LAST_LEVEL];

/** 99 and 100 are full, every other level is its own percentage; what is no level is no value. */
export function percentOfLevel(raw: unknown): Read<number> {
  const level = readShare(readNumber(raw, NO_LEVEL), 0, 100);
  return typeof level === "number" && level >= FULL ? 100 : level;
}

/** What is not quite off is not off: above 0 % it is 1 at least. */
export function levelOfPercent(percent: number): number {
  return percent <= 0 ? 0 : Math.min(FULL, Math.max(1, Math.round(percent)));
}
