/** Days and months as the clocks of a time zone show them. Daylight saving time needs no rule of its own: it is looked up, moment by moment. */

/** Longer than any shift of a time zone, ms. */
const DAY = 86_400_000;

export class Calendar {
  readonly #unit: "day" | "month";
  readonly #parts: Intl.DateTimeFormat;

  /** @param timeZone a name of the IANA database @throws RangeError of one that is not */
  constructor(unit: "day" | "month", timeZone: string) {
    this.#unit = unit;
    this.#parts = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hourCycle: "h23" },
      ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
      ...({ hour: "numeric", minute: "numeric", second: "numeric" } as const),
    });
  }

  /** When the day or month begins that a moment is in. Wall clock, ms. */
  startOf(at: number): number {
    const { year, month, day } = this.#shown(at);
    return this.#midnight(year, month, this.#unit === "month" ? 1 : day);
  }

  /** When the next one begins. @param start of a day or month */
  after(start: number): number {
    const { year, month, day } = this.#shown(start);
    return this.#unit === "month" ? this.#midnight(year, month + 1, 1) : this.#midnight(year, month, day + 1);
  }

  /** When a day begins: at midnight, or at the first moment of it that there is. */
  #midnight(year: number, month: number, day: number): number {
    const shown = Date.UTC(year, month - 1, day);
    // The shift may be another before and after a change of the clocks. Of two midnights the earlier one counts.
    const moments = [shown - this.#shift(shown - DAY), shown - this.#shift(shown + DAY)];
    const found = moments.filter((at) => at + this.#shift(at) === shown);
    return found.length > 0 ? Math.min(...found) : this.#change(shown);
  }

  /** The moment at which the clocks leave out midnight. */
  #change(shown: number): number {
    let before = shown - DAY;
    let after = shown + DAY;
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (middle + this.#shift(middle) < shown) before = middle;
      else after = middle;
    }
    return after;
  }

  /** What the clocks show beyond UTC, ms. */
  #shift(at: number): number {
    const { year, month, day, hour, minute, second } = this.#shown(at);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
  }

  #shown(at: number) {
    const part = Object.fromEntries(this.#parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return { year, month, day, hour, minute, second };
  }
}
