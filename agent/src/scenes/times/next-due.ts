/** When a trigger of time or sun is due next: pure, so that each night on which a clock is changed is a row of its table. */
import { dateOf, type Weekday, weekdayOf, type ZoneTime } from "@porchlight/shared/kernel";
import { getTimes } from "suncalc";

/** A trigger as it is told by the cloud. */
export type TimedTrigger =
  | {
      readonly kind: "time";
      /** `HH:MM`, by the clock of the home. */
      readonly at: string;
      /** Every day, when left out. */
      readonly days?: readonly Weekday[] | undefined;
    }
  | {
      readonly kind: "sun";
      readonly event: SunEvent;
      /** Before the event when it is negative. */
      readonly offsetMinutes?: number | undefined;
      /** Of the event itself; every day, when left out. */
      readonly days?: readonly Weekday[] | undefined;
    };

/** What is known of where the home is. */
export interface HomeSituation {
  /** Undefined when nobody has said it, or the system does not know the zone. */
  readonly time?: ZoneTime | undefined;
  readonly position?: Position | undefined;
}

/** One time at which a trigger is due. */
export interface Due {
  /** Ms since 1970 UTC. */
  readonly at: number;
  /** Names this time of this trigger for ever: what has been done for it is not done again when the clock is set back. */
  readonly occurrence: string;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** A weekday comes within a week, and its day may be one that the calendar skips. */
const MOST_DAYS = 15;
/** Days of the sun that are looked at around a moment: from the day before, to the weekday after one without the event. */
const SUN_DAYS = Array.from({ length: MOST_DAYS + 1 }, (_, day) => day - 1);

/** The first time after that moment; undefined when there is none, or the home's situation does not say. */
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
  // The day before as well: its last minute may be skipped, and come at midnight.
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
  // Which day it is in the home is not known without its time zone.
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

// When the sun rises and sets where the home is: the one file that knows the library which reckons it.

/** Degrees, north and east positive. */
interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

type SunEvent = "sunrise" | "sunset";

/**
 * The event of the solar day around that moment; undefined on a day without it, near the poles.
 * @returns `solarDay`: the whole number of the solar day, the same for every moment of it; `at`: ms since 1970
 */
function sunAt(
  event: SunEvent,
  { latitude, longitude }: Position,
  ms: number,
): { readonly solarDay: number; readonly at: number | undefined } {
  const times = getTimes(dateOf(ms), latitude, longitude);
  // Noon by the sun is some minutes early or late, which must not take it into another day where it is near midnight UTC.
  const solarDay = Math.round(times.solarNoon.getTime() / DAY_MS - 0.5 + longitude / 360);
  return { solarDay, at: times[event]?.getTime() };
}
