/** Levels of 0 to 99, as multilevel classes have them, as percentages: pure. */

/** What stands for "the last level that was not 0" when it is set. */
export const LAST_LEVEL = 255;
const FULL = 99;
/** The device does not know its level. */
const UNKNOWN = 254;

/** 99 is full, and the others are what they say; `null` of a level that is not known, undefined for what is not a level. */
export function percentOfLevel(raw: unknown): number | null | undefined {
  if (raw === UNKNOWN) return null;
  if (typeof raw !== "number" || !Number.isFinite(raw) || raw < 0 || raw > 100) return undefined;
  return raw >= FULL ? 100 : raw;
}

/** What is not quite off is not off: above 0 % it is 1 at least. */
export function levelOfPercent(percent: number): number {
  return percent <= 0 ? 0 : Math.min(FULL, Math.max(1, Math.round(percent)));
}
