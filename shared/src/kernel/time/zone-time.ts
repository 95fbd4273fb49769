/**
 * The clock on a wall in a time zone: from a moment to what it shows, and back. Pure, because the two hours of a year that do not exist
 * or exist twice are decided here.
 *
 * A reading of that clock is written as the moment at which a clock of UTC would show the same, ms: so days and minutes are reckoned in
 * whole numbers. The rules of the zone are those of the system's own database (Intl).
 */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** 1 January 1970 was a Thursday. */
const WEEKDAYS = ["thu", "fri", "sat", "sun", "mon", "tue", "wed"] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** The weekday of a day, counted from 1 January 1970. */
export function weekdayOf(day: number): Weekday {
  return WEEKDAYS[((day % 7) + 7) % 7] ?? "thu";
}

export class ZoneTime {
  readonly #format: Intl.DateTimeFormat;

  private constructor(format: Intl.DateTimeFormat) {
    this.#format = format;
  }

  /** @param timeZone of IANA: `Europe/Berlin`. Undefined when the system does not know it. */
  static in(timeZone: string): ZoneTime | undefined {
    try {
      // The Swedish way of writing a time is ISO 8601.
      return new ZoneTime(new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }));
    } catch (failure) {
      if (failure instanceof RangeError) return undefined;
      throw failure;
    }
  }

  /** The day of that moment, counted from 1 January 1970. */
  dayOf(ms: number): number {
    return Math.floor(this.#reading(ms) / DAY_MS);
  }

  /**
   * The moment at which the clock first shows that minute of that day. Of a minute that is skipped, the moment of the skip, at which the
   * next one that exists begins; of a day that is skipped, none.
   * @param minute of the day
   */
  momentOf(day: number, minute: number): number | undefined {
    const wanted = day * DAY_MS + minute * MINUTE_MS;
    const [before, after] = [this.#offset(wanted - DAY_MS), this.#offset(wanted + DAY_MS)];
    // The larger offset first: of two moments with one reading it is the earlier.
    for (const offset of [Math.max(before, after), Math.min(before, after)])
      if (this.#reading(wanted - offset) === wanted) return wanted - offset;
    const skip = this.#firstPast(wanted, wanted - after, wanted - before);
    const isDayThere = this.dayOf(skip - 1000) === day || this.dayOf(skip) === day;
    return isDayThere ? skip : undefined;
  }

  /** The first whole second, after `from` and up to `to`, at which the clock shows more than that reading. */
  #firstPast(reading: number, from: number, to: number): number {
    let [low, high] = [from / 1000, to / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#reading(middle * 1000) > reading) high = middle;
      else low = middle;
    }
    return high * 1000;
  }

  /** What must be added to that moment for the reading, ms. */
  #offset(ms: number): number {
    return this.#reading(ms) - ms;
  }

  /** To whole seconds. */
  #reading(ms: number): number {
    const [year = 0, month = 1, day = 1, ...clock] = this.#format.format(ms).split(/\D/).map(Number);
    return Date.UTC(year, month - 1, day, ...clock);
  }
}
