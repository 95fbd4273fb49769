/** What is believed of a time that a hub tells: its clock may be wrong, and it may say anything. Every such time is stored through here. */
import { UNKNOWN_TIME } from "@porchlight/shared/model";

/**
 * `UNKNOWN_TIME` as it is. Of every other time the nearest time that can be: a whole millisecond, not before 1970, and not after now, since nothing has been observed in the future.
 * @param told wall-clock ms, by the hub's clock
 * @param now wall-clock ms, by the cloud's
 */
export function believedTime(told: number, now: number): number {
  if (told === UNKNOWN_TIME) return UNKNOWN_TIME;
  return Math.max(0, Math.floor(Math.min(told, now)));
}
