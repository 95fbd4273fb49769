/** The words of a time axis: local, with the day where it begins, as fine as the distance of the marks. Pure. */

const MINUTE = 60_000;
const DAY = 86_400_000;

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options);
const FORMATS = {
  second: format({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
  minute: format({ hour: "2-digit", minute: "2-digit" }),
  day: format({ day: "numeric", month: "short" }),
  month: format({ month: "short", year: "numeric" }),
};

/** @param marks ms since 1970, in order @param distance of two of them, ms */
export function axisTimes(marks: readonly number[], distance: number): readonly string[] {
  if (distance >= 27 * DAY) return marks.map((at) => FORMATS.month.format(at));
  if (distance >= DAY) return marks.map((at, index) => `${FORMATS.day.format(at)}${yearBelow(at, marks[index - 1])}`);
  const clock = distance < MINUTE ? FORMATS.second : FORMATS.minute;
  return marks.map((at, index) => {
    const before = marks[index - 1];
    const isNewDay = before === undefined || new Date(before).toDateString() !== new Date(at).toDateString();
    return isNewDay ? `${clock.format(at)}\n${FORMATS.day.format(at)}` : clock.format(at);
  });
}

function yearBelow(at: number, before: number | undefined): string {
  const year = new Date(at).getFullYear();
  return before === undefined || new Date(before).getFullYear() !== year ? `\n${year}` : "";
}
