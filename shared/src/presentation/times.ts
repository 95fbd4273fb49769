/**
 * Times in sentences: writes them in words in a time zone, and finds them again in a text, so that each reader sees them in their own
 * zone.
 */
import { parseTime } from "../kernel/index.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/**
 * "25 November 2026, 11:14 UTC", to the minute.
 * @param ms since 1970
 * @param timeZone IANA name
 */
export function timeWords(ms: number, timeZone = "UTC"): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone, day: "numeric", month: "long", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" },
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  return `${part("day")} ${part("month")} ${part("year")}, ${part("hour")}:${part("minute")} ${part("timeZoneName")}`;
}

/** Matches a name in quotation marks, which stays as it is; or a time, in the API's format or as `timeWords` writes it in UTC. */
const QUOTED_OR_TIME = new RegExp(
  `“[^”]*”|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dZ|\\d{1,2} (?:${MONTHS.join("|")}) \\d{4}, \\d\\d:\\d\\d UTC`,
  "g",
);

/** Rewrites each time in a text. @param text from the service, with times in UTC @param wordsOf turns ms since 1970 into words */
export function withTimes(text: string, wordsOf: (ms: number) => string): string {
  return text.replaceAll(QUOTED_OR_TIME, (found) => {
    const ms = parseTime(found) ?? parseWords(found);
    return ms === undefined ? found : wordsOf(ms);
  });
}

/** Parses the UTC output of `timeWords` to milliseconds since 1970. */
function parseWords(words: string): number | undefined {
  const [, day = "", month = "", year, time] = /^(\d+) (\w+) (\d+), (.+) UTC$/.exec(words) ?? [];
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, "0");
  return parseTime(`${year}-${number}-${day.padStart(2, "0")} ${time}:00Z`);
}
