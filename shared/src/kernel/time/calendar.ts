/** Days and months as the clocks of a time zone show them. Daylight saving time needs no rule here: {@link ZoneTime} finds each beginning. */
import { ZoneTime } from "./zone-time.ts";

const DAY = 86_400_000;

export class Calendar {
  readonly #unit: "day" | "month";
  readonly #zone: ZoneTime;

  /** @param timeZone a name of the IANA database @throws RangeError of one that is not */
  constructor(unit: "day" | "month", timeZone: string) {
    const zone = ZoneTime.in(timeZone);
    if (!zone) throw new RangeError(`${timeZone} is no time zone`);
    this.#unit = unit;
    this.#zone = zone;
  }

  /** When the day or month begins that a moment is in. Wall clock, ms. */
  startOf(at: number): number {
    const day = this.#zone.dayOf(at);
    return this.#beginning(this.#unit === "month" ? firstOfMonth(day, 0) : day);
  }

  /** When the next one begins. @param start of a day or month */
  after(start: number): number {
    const day = this.#zone.dayOf(start);
    return this.#beginning(this.#unit === "month" ? firstOfMonth(day, 1) : day + 1);
  }

  /** When a day begins: at midnight, or at the first moment of it that there is; of a day that is skipped, the next one. */
  #beginning(day: number): number {
    for (let next = day; ; next++) {
      const moment = this.#zone.momentOf(next, 0);
      if (moment !== undefined) return moment;
    }
  }
}

/** Days are counted from 1 January 1970. @param later so many months */
function firstOfMonth(day: number, later: number): number {
  const date = new Date(day * DAY);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / DAY;
}
