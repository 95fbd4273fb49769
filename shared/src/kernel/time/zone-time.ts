/**
 * Converts between moments and the wall-clock time of a time zone, and finds its days and months. Pure, because the two hours of a year
 * that do not exist or exist twice are decided here.
 *
 * A reading of that clock is stored as the moment at which a UTC clock would show the same, ms, so that days and minutes are whole numbers.
 * The rules of the zone come from the system's database (Intl).
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

  /** @param timeZone IANA name, such as `Europe/Berlin` @returns undefined when the system does not know it */
  static in(timeZone: string): ZoneTime | undefined {
    try {
      // The Swedish format of a time is ISO 8601.
      return new ZoneTime(new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }));
    } catch (failure) {
      if (failure instanceof RangeError) return undefined;
      throw failure;
    }
  }

  /** The local day of a moment, counted from 1 January 1970. */
  dayOf(ms: number): number {
    return Math.floor(this.#reading(ms) / DAY_MS);
  }

  /**
   * The first moment at which the clock shows that minute of that day. For a skipped minute it is the moment of the skip, at which the
   * next existing minute begins; for a skipped day it is undefined.
   * @param minute of the day
   */
  momentOf(day: number, minute: number): number | undefined {
    const wanted = day * DAY_MS + minute * MINUTE_MS;
    const [before, after] = [this.#offset(wanted - DAY_MS), this.#offset(wanted + DAY_MS)];
    // Try the larger offset first: of two moments with the same reading it yields the earlier.
    for (const offset of [Math.max(before, after), Math.min(before, after)])
      if (this.#reading(wanted - offset) === wanted) return wanted - offset;
    const skip = this.#firstPast(wanted, wanted - after, wanted - before);
    const isDayThere = this.dayOf(skip - 1000) === day || this.dayOf(skip) === day;
    return isDayThere ? skip : undefined;
  }

  /** The first whole second, after `from` and up to `to`, at which the clock shows more than `reading`. */
  #firstPast(reading: number, from: number, to: number): number {
    let [low, high] = [from / 1000, to / 1000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#reading(middle * 1000) > reading) high = middle;
      else low = middle;
    }
    return high * 1000;
  }

  /** Difference between the reading and the moment, ms. */
  #offset(ms: number): number {
    return this.#reading(ms) - ms;
  }

  /** The reading at a moment, to whole seconds. */
  #reading(ms: number): number {
    const [year = 0, month = 1, day = 1, ...clock] = this.#format.format(ms).split(/\D/).map(Number);
    return Date.UTC(year, month - 1, day, ...clock);
  }
}

/** Calendar days and months of a time zone. Daylight saving time needs no rule here: {@link ZoneTime} finds each start. */
const DAY = 86_400_000;

/** Calendar days and months of a time zone. Daylight saving time needs no rule here: {@link ZoneTime} finds each start. */
export class Calendar {
  readonly #unit: "day" | "month";
  readonly #zone: ZoneTime;

  /** @param timeZone a name of the IANA database @throws RangeError for an unknown name */
  constructor(unit: "day" | "month", timeZone: string) {
    const zone = ZoneTime.in(timeZone);
    if (!zone) throw new RangeError(`${timeZone} is no time zone`);
    this.#unit = unit;
    this.#zone = zone;
  }

  /** Start of the day or month that contains a moment. Wall clock, ms. */
  startOf(at: number): number {
    const day = this.#zone.dayOf(at);
    return this.#beginning(this.#unit === "month" ? firstOfMonth(day, 0) : day);
  }

  /** Start of the next day or month. @param start of a day or month */
  after(start: number): number {
    const day = this.#zone.dayOf(start);
    return this.#beginning(this.#unit === "month" ? firstOfMonth(day, 1) : day + 1);
  }

  /** Start of a day: midnight, or the first moment that exists; for a skipped day, the start of the next one. */
  #beginning(day: number): number {
    for (let next = day; ; next++) {
      const moment = this.#zone.momentOf(next, 0);
      if (moment !== undefined) return moment;
    }
  }
}

/** First day of a month, counted from 1 January 1970. @param later number of months to add */
function firstOfMonth(day: number, later: number): number {
  const date = new Date(day * DAY);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY;
}
