/** Calendar days and months of a time zone. Daylight saving time needs no rule here: {@link ZoneTime} finds each start. */
import { ZoneTime } from "./zone-time.ts";

const DAY = 86_400_000;

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
