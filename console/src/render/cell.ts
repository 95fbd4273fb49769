/** One value of an answer as a piece of text: a time by its age, a state by its mark, an object as JSON. */

import { parseTime } from "@porchlight/shared/api";
import { timeWords } from "@porchlight/shared/presentation";
import { type Part, type Style, styled } from "./style.ts";

/** What the terminal can show, and the moment that ages are counted from. */
export interface Showing {
  /** ms since 1970. */
  readonly now: number;
  /** For a person at a terminal; else for another program, which wants whole values. */
  readonly isForPerson: boolean;
  /** Whether there are characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** Never colour alone: each state has its mark and its word. */
const STATES: Readonly<Record<string, { style: Style; mark: string; ascii: string }>> = {
  online: { style: "green", mark: "●", ascii: "*" },
  offline: { style: "red", mark: "○", ascii: "o" },
  unknown: { style: "yellow", mark: "◌", ascii: "?" },
};

/** What stands where there is nothing. */
const ABSENT = "-";

export function ellipsisOf({ isUnicode }: Showing): string {
  return isUnicode ? "…" : "...";
}

/** A value as it stands in a table. */
export function cell(value: unknown, showing: Showing): Part {
  if (value === undefined || value === null) return showing.isForPerson ? styled("dim", ABSENT) : "";
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!showing.isForPerson) return value;
  const state = Object.hasOwn(STATES, value) ? STATES[value] : undefined;
  if (state) return styled(state.style, `${showing.isUnicode ? state.mark : state.ascii} ${value}`);
  return relativeTime(value, showing.now) ?? value;
}

/** A value as it stands alone, with room: a time with its age. */
export function field(value: unknown, showing: Showing): Part {
  const age = typeof value === "string" && showing.isForPerson ? relativeTime(value, showing.now) : undefined;
  return age === undefined ? cell(value, showing) : `${String(value)} (${age})`;
}

/** What is at a path: names with dots between them, or a list of names where these have dots themselves. */
export function valueAt(item: unknown, path: string | readonly string[]): unknown {
  let value = item;
  for (const name of typeof path === "string" ? path.split(".") : path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** Every field of a record in its order, those of objects in it under `outer.inner`; lists and metadata stay whole. */
export function fieldsOf(record: object, before = ""): [name: string, value: unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const path = `${before}${name}`;
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value) && name !== "meta";
    return isNested ? fieldsOf(value, `${path}.`) : [[path, value]];
  });
}

/** Times as a person at a terminal wants them: how long ago. */
const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1000 },
] as const;

/** `3 min ago`, `in 2 h`, `now`; undefined for what is no time of the API. @param now ms since 1970 */
export function relativeTime(text: string, now: number): string | undefined {
  const then = parseTime(text);
  if (then === undefined) return undefined;
  const distance = Math.abs(now - then);
  const unit = UNITS.find(({ ms }) => distance >= ms);
  // The API's times are whole seconds.
  if (unit === undefined || distance < 2000) return "now";
  const count = `${Math.floor(distance / unit.ms)} ${unit.name}`;
  return then > now ? `in ${count}` : `${count} ago`;
}

/** `26 November 2026, 14:03 CET`: in the zone of this machine; a text that is no time of the API as it is. */
export function localTime(text: string): string {
  const at = parseTime(text);
  return at === undefined ? text : timeWords(at, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
