/** Formats one value of an answer: a time as its age, a state with its mark, an object as JSON. */
import { parseTime } from "@porchlight/shared/api";
import { timeWords } from "@porchlight/shared/presentation";
import { type Part, type Style, styled } from "./style.ts";

/** Capabilities of the terminal, and the current time for ages. */
export interface Showing {
  /** ms since 1970. */
  readonly now: number;
  /** For a user at a terminal; otherwise for another program, which needs complete values. */
  readonly isForPerson: boolean;
  /** Whether the terminal shows characters beyond ASCII. */
  readonly isUnicode: boolean;
}

/** Never colour alone: each state has a mark and a word too. */
const STATES: Readonly<Record<string, { style: Style; mark: string; ascii: string }>> = {
  online: { style: "green", mark: "●", ascii: "*" },
  offline: { style: "red", mark: "○", ascii: "o" },
  unknown: { style: "yellow", mark: "◌", ascii: "?" },
};

/** Text for an absent value. */
const ABSENT = "-";

export function ellipsisOf({ isUnicode }: Showing): string {
  return isUnicode ? "…" : "...";
}

/** A value in a table. */
export function cell(value: unknown, showing: Showing): Part {
  if (value === undefined || value === null) return showing.isForPerson ? styled("dim", ABSENT) : "";
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (!showing.isForPerson) return value;
  const state = Object.hasOwn(STATES, value) ? STATES[value] : undefined;
  if (state) return styled(state.style, `${showing.isUnicode ? state.mark : state.ascii} ${value}`);
  return relativeTime(value, showing.now) ?? value;
}

/** A value on its own line, with room: a time with its age. */
export function field(value: unknown, showing: Showing): Part {
  const age = typeof value === "string" && showing.isForPerson ? relativeTime(value, showing.now) : undefined;
  return age === undefined ? cell(value, showing) : `${String(value)} (${age})`;
}

/** The value at a path: names joined by dots, or a list of names when a name itself contains dots. */
export function valueAt(item: unknown, path: string | readonly string[]): unknown {
  let value = item;
  for (const name of typeof path === "string" ? path.split(".") : path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

/** All fields of a record in order, nested ones as `outer.inner`; lists and metadata stay whole. */
export function fieldsOf(record: object, before = ""): [name: string, value: unknown][] {
  return Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const path = `${before}${name}`;
    const isNested = typeof value === "object" && value !== null && !Array.isArray(value) && name !== "meta";
    return isNested ? fieldsOf(value, `${path}.`) : [[path, value]];
  });
}

/** Units of relative times. */
const UNITS = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1000 },
] as const;

/** `3 min ago`, `in 2 h`, `now`; undefined when the text is no time of the API. @param now ms since 1970 */
export function relativeTime(text: string, now: number): string | undefined {
  const then = parseTime(text);
  if (then === undefined) return undefined;
  const distance = Math.abs(now - then);
  const unit = UNITS.find(({ ms }) => distance >= ms);
  // The API's times have a precision of one second.
  if (unit === undefined || distance < 2000) return "now";
  const count = `${Math.floor(distance / unit.ms)} ${unit.name}`;
  return then > now ? `in ${count}` : `${count} ago`;
}

/** `26 November 2026, 14:03 CET`, in this machine's zone; a text that is no time of the API stays unchanged. */
export function localTime(text: string): string {
  const at = parseTime(text);
  return at === undefined ? text : timeWords(at, new Intl.DateTimeFormat().resolvedOptions().timeZone);
}
