/** Computes when a trigger of time or sun is due next: pure, so that each change of daylight saving time is a row of its tests. */
import { dateOf, type Weekday, weekdayOf, type ZoneTime } from "@porchlight/shared/kernel";
import { getTimes } from "suncalc";

/** A trigger as the cloud sends it. */
export type TimedTrigger =
  | {
      readonly kind: "time";
      /** `HH:MM`, by the clock of the home. */
      readonly at: string;
      /** Every day when left out. */
      readonly days?: readonly Weekday[] | undefined;
    }
  | {
      readonly kind: "sun";
      readonly event: SunEvent;
      /** Negative before the event. */
      readonly offsetMinutes?: number | undefined;
      /** Weekdays of the event itself; every day when left out. */
      readonly days?: readonly Weekday[] | undefined;
    };

/** The known time zone and position of the home. */
export interface HomeSituation {
  /** Undefined when it is not configured, or the system does not know the zone. */
  readonly time?: ZoneTime | undefined;
  readonly position?: Position | undefined;
}

/** One time at which a trigger is due. */
export interface Due {
  /** Ms since 1970 UTC. */
  readonly at: number;
  /** Permanent name of this time of the trigger: it prevents a second call when the clock is set back. */
  readonly occurrence: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Days to search: a weekday comes within a week, and its day may be one that the calendar skips. */
const MOST_DAYS = 15;
/** Days to search for events of the sun: from the day before, to the weekday after one without the event. */
const SUN_DAYS = Array.from({ length: MOST_DAYS + 1 }, (_, day) => day - 1);

/** The first time after that moment; undefined when there is none, or the home's situation is incomplete. */
export function nextDue(trigger: TimedTrigger, home: HomeSituation, after: number): Due | undefined {
  switch (trigger.kind) {
    case "time":
      return home.time && nextTime(trigger, home.time, after);
    case "sun":
      return nextSun(trigger, home, after);
  }
}

function nextTime(
  { at, days }: Extract<TimedTrigger, { kind: "time" }>,
  time: ZoneTime,
  after: number,
): Due | undefined {
  const [hour = 0, minute = 0] = at.split(":").map(Number);
  // Starts a day early: the last minute of the day before may be skipped, and come at midnight.
  const first = time.dayOf(after) - 1;
  for (let day = first; day < first + MOST_DAYS; day++) {
    if (days && !days.includes(weekdayOf(day))) continue;
    const moment = time.momentOf(day, hour * 60 + minute);
    if (moment !== undefined && moment > after) return { at: moment, occurrence: `${day} ${at}` };
  }
  return undefined;
}

function nextSun(
  { event, offsetMinutes = 0, days }: Extract<TimedTrigger, { kind: "sun" }>,
  { time, position }: HomeSituation,
  after: number,
): Due | undefined {
  // The weekday in the home is unknown without its time zone.
  if (!position || (days && !time)) return undefined;
  const offset = offsetMinutes * MINUTE_MS;
  for (const day of SUN_DAYS) {
    const { at, solarDay } = sunAt(event, position, after - offset + day * DAY_MS);
    if (at === undefined || at + offset <= after) continue;
    if (days && time && !days.includes(weekdayOf(time.dayOf(at)))) continue;
    return { at: at + offset, occurrence: `${solarDay} ${event}` };
  }
  return undefined;
}

/** Degrees, north and east positive. */
interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

type SunEvent = "sunrise" | "sunset";

/**
 * The event of the solar day around that moment, by the library that only this file uses; undefined on a day without it, near the poles.
 * @returns `solarDay`: the whole number of the solar day, the same for every moment of it; `at`: ms since 1970
 */
function sunAt(
  event: SunEvent,
  { latitude, longitude }: Position,
  ms: number,
): { readonly solarDay: number; readonly at: number | undefined } {
  const times = getTimes(dateOf(ms), latitude, longitude);
  // Solar noon varies by some minutes, which must not move it to another day when it is near midnight UTC.
  const solarDay = Math.round(times.solarNoon.getTime() / DAY_MS - 0.5 + longitude / 360);
  return { solarDay, at: times[event]?.getTime() };
}
