/** When the sun rises and sets where the home is: the one file that knows the library which reckons it. */
import { dateOf } from "@porchlight/shared/kernel";
import { getTimes } from "suncalc";

/** Degrees, north and east positive. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export type SunEvent = "sunrise" | "sunset";

const DAY_MS = 86_400_000;

/**
 * The event of the solar day around that moment; undefined on a day without it, near the poles.
 * @returns `solarDay`: the whole number of the solar day, the same for every moment of it; `at`: ms since 1970
 */
export function sunAt(
  event: SunEvent,
  { latitude, longitude }: Position,
  ms: number,
): { readonly solarDay: number; readonly at: number | undefined } {
  const times = getTimes(dateOf(ms), latitude, longitude);
  // Noon by the sun is some minutes early or late, which must not take it into another day where it is near midnight UTC.
  const solarDay = Math.round(times.solarNoon.getTime() / DAY_MS - 0.5 + longitude / 360);
  return { solarDay, at: times[event]?.getTime() };
}
