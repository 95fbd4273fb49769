/** The age of a time stamp, which ticks; the exact time, local and UTC, is in a tooltip. */
import { useSyncExternalStore } from "react";
import { Hint } from "./hint.tsx";

/** Parses the service's `YYYY-MM-DD HH:MM:SSZ`. @returns milliseconds since 1970 */
export function timeOf(text: string): number {
  return Date.parse(text.replace(" ", "T"));
}

/** Formats an age: "now", "40 s", "5 min", "3 h", "12 d". @param ms negative when the clocks differ */
export function ageOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** One timer for all ages on the page. It stops while the page is hidden. */
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

/** The current time, rounded down to the second. */
export function useNow(): number {
  return useSyncExternalStore(ticks.subscribe, () => Math.floor(Date.now() / 1000) * 1000);
}

interface AgeProps {
  /** Time stamp in the service's format. */
  readonly at: string;
  /** Text before a duration ("since 5 min"). "now" gets neither prefix nor suffix. */
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

/** Local time of day: "14:02:31". */
export function clockOf(at: string): string {
  return new Date(timeOf(at)).toLocaleTimeString();
}

/** Local time of day, preceded by the date unless it is today. @param at ms since 1970 @param now ms since 1970 */
export function momentOf(at: number, now: number): string {
  const moment = new Date(at);
  const isToday = moment.toDateString() === new Date(now).toDateString();
  return isToday ? moment.toLocaleTimeString() : moment.toLocaleString();
}
