/**
 * Times in the API's format: UTC, `YYYY-MM-DD HH:MM:SSZ`. Computed here and not by `Date`, because every item of every answer has two
 * of them.
 */

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));

/** @param ms wall-clock time, milliseconds since 1970 UTC, of the years 1970 to 9999 */
export function formatTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const hour = Math.floor(rest / 3600);
  const minute = Math.floor((rest - hour * 3600) / 60);
  return `${formatDay(days)} ${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[rest % 60]}Z`;
}

/** The Gregorian date of a day counted from 1970-01-01. Years begin in March here, so that the leap day comes last. */
function formatDay(days: number): string {
  const sinceMarch0000 = days + 719_468;
  const era = Math.floor(sinceMarch0000 / 146_097);
  const dayOfEra = sinceMarch0000 - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?Z$/;

/** Parses a time of the API, or one with `T` instead of the space, to ms since 1970 UTC; undefined when it is invalid. */
export function parseTime(text: string): number | undefined {
  const [year, month, day, hour, minute, second] = (TIME.exec(text) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  const ms = ((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000;
  // A day or hour that does not exist would be formatted as another one.
  return ms >= 0 && formatTime(ms) === `${text.slice(0, 10)} ${text.slice(11, 19)}Z` ? ms : undefined;
}

/** Days from 1970-01-01 to a Gregorian date. Years begin in March here, so that the leap day comes last. */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
