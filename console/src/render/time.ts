/** Times as a person at a terminal wants them: how long ago. */
import { parseTime } from "@porchlight/shared/api";

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
