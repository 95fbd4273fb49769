/** How long ago something was, ticking; the exact time, local and UTC, in a tooltip. */
import { useSyncExternalStore } from "react";
import { Hint } from "../lazy/hint.tsx";

/** The service's `YYYY-MM-DD HH:MM:SSZ` as milliseconds since 1970. */
export function timeOf(text: string): number {
  return Date.parse(text.replace(" ", "T"));
}

/** How long ago, in words: "now", "40 s", "5 min", "3 h", "12 d". @param ms may be negative: clocks differ */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** One timer for all ages of the page, which stands still while the page is hidden. */
const ticks = {
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
  subscribe(listener: () => void): () => void {
    ticks.listeners.add(listener);
    ticks.timer ??= setInterval(() => {
      if (!document.hidden) for (const each of ticks.listeners) each();
    }, 1000);
    return () => {
      ticks.listeners.delete(listener);
      if (ticks.listeners.size > 0) return;
      clearInterval(ticks.timer);
      ticks.timer = undefined;
    };
  },
};

/** Now, to the second. */
export function useNow(): number {
  return useSyncExternalStore(ticks.subscribe, () => Math.floor(Date.now() / 1000) * 1000);
}

export interface AgeProps {
  /** The service's time. */
  readonly at: string;
  /** What stands around a length of time; "now" stands alone. */
  readonly prefix?: string;
  readonly suffix?: string;
}

export function Age({ at, prefix = "", suffix = " ago" }: AgeProps) {
  const age = ageOf(useNow() - timeOf(at));
  return (
    <Hint label={`${new Date(timeOf(at)).toLocaleString()} (${at})`}>
      <time dateTime={at.replace(" ", "T")}>{age === "now" ? age : `${prefix}${age}${suffix}`}</time>
    </Hint>
  );
}

/** A time of the day, local: "14:02:31". */
export function clockOf(at: string): string {
  return new Date(timeOf(at)).toLocaleTimeString();
}

/** Local: the time of the day, with the date before it unless that is today's. @param at ms since 1970 @param now ms since 1970 */
export function momentOf(at: number, now: number): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date(now).toDateString();
  return isToday ? moment.toLocaleTimeString() : moment.toLocaleString();
}
