/** Parses durations and times in the notations that users write. */
import { formatTime } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import { UsageError } from "./failure.ts";

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Seconds of `90`, `90s`, `15m`, `2h` or `30d`; undefined for anything else. */
function duration(text: string): number | undefined {
  const [, count = "", unit = "s"] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (count === "") return undefined;
  return Number(count) * (unit === "m" || unit === "h" || unit === "d" ? SECONDS[unit] : SECONDS.s);
}

/** @param option its name, for the message @throws UsageError */
export function secondsOf(text: string, option: string): number {
  const seconds = duration(text);
  if (seconds !== undefined) return seconds;
  throw new UsageError(
    `--${option} takes a duration.`,
    `\`${text}\` is not one.`,
    `give --${option} 30d, 12h, 15m or 90s`,
  );
}

/** A time for the API: a duration ago, or an absolute time. @param text `2h`, or `2026-11-05 14:03:07Z` with a space or a T */
export function momentOf(text: string, clock: Clock): string {
  const ago = duration(text);
  if (ago !== undefined) return formatTime(clock.now() - ago * 1000);
  return text.replace(/^(\d{4}-\d\d-\d\d)T/, "$1 ");
}
