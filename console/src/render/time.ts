/** Times as a person at a terminal wants them: how long ago. */
import { parseTime } from "@porchlight/shared/api";
import { timeWords } from "@porchlight/shared/presentation";

const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1000 },
] as const;

/** `3 min ago`, `in 2 h`, `now`; undefined for what is no time of the API. @param now ms since 1970 */
export function relativeTime(text: string, now: number): string | undefined {
  const then = parseTime(text);
  if (then === undefined) return undefined;
  const distance = Math.abs(now - then);
  const unit = UNITS.find(({ ms }) => distance >= ms);
  // The API's times are whole seconds.
  if (unit === undefined || distance < 2000) return "now";
  const count = `${Math.floor(distance / unit.ms)} ${unit.name}`;
  return then > now ? `in ${count}` : `${count} ago`;
}

/** `26 November 2026, 14:03 CET`: in the zone of this machine; a text that is no time of the API as it is. */
export function localTime(text: string): string {
  const at = parseTime(text);
  return at === undefined ? text : timeWords(at, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
