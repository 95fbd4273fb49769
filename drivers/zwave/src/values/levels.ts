/** Converts levels of 0 to 99 of the multilevel classes to percentages. Pure. */
import { type Read, readNumber, readShare } from "@porchlight/driver-kit";

/** Set as a level, it restores the last level other than 0. */
export const LAST_LEVEL = 255;
const FULL = 99;
/** 254: unknown level. 255: the last level, which the device does not report. */
const NO_LEVEL = [254, LAST_LEVEL];

/** Level 99 and above is 100 %, any other level its own percentage; an invalid level is no value. */
export function percentOfLevel(raw: unknown): Read<number> {
  const level = readShare(readNumber(raw, NO_LEVEL), 0, 100);
  return typeof level === "number" && level >= FULL ? 100 : level;
}

/** Above 0 % the level is at least 1, so that a dim lamp does not turn off. */
export function levelOfPercent(percent: number): number {
  return percent <= 0 ? 0 : Math.min(FULL, Math.max(1, Math.round(percent)));
}
