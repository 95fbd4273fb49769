/** Times as the API writes them: UTC, `YYYY-MM-DD HH:MM:SSZ`. */
import { isoTime } from "../kernel/index.ts";

/** @param ms wall-clock time, milliseconds since 1970 UTC */
export function formatTime(ms: number): string {
  const iso = isoTime(ms);
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;
}
