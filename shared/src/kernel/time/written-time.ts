/** Times as the API writes them: UTC, `YYYY-MM-DD HH:MM:SSZ`. Reckoned here, since every item of every answer has two of them. */

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

/** The Gregorian date so many days after 1970-01-01, in years that begin in March, so that a leap day comes last. */
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

/** Milliseconds since 1970 UTC of a time as the API writes it, or with a `T` for the space; undefined when it is none. */
export function parseTime(text: string): number | undefined {
  const [year, month, day, hour, minute, second] = (TIME.exec(text) ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  if (hour === undefined || minute === undefined || second === undefined) return undefined;
  const ms = ((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000;
  // A day or hour that there is not would come back as another.
  return ms >= 0 && formatTime(ms) === `${text.slice(0, 10)} ${text.slice(11, 19)}Z` ? ms : undefined;
}

/** Days since 1970-01-01 of a Gregorian date, in years that begin in March. */
function dayNumber(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
