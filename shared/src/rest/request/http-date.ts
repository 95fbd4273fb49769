/** Times as HTTP writes them in headers (RFC 9110, section 5.6.7). */
import { formatTime } from "../../kernel/index.ts";

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @param ms wall clock, ms @returns `Sun, 01 Nov 2026 00:00:00 GMT` */
export function httpDate(ms: number): string {
  const [date = "", time = ""] = formatTime(ms).replace("Z", "").split(" ");
  const [year, month, day] = date.split("-");
  // 1970 began on a Thursday.
  const weekday = DAYS[(Math.floor(ms / 86_400_000) + 4) % 7];
  return `${weekday}, ${day} ${MONTHS[Number(month) - 1]} ${year} ${time} GMT`;
}
