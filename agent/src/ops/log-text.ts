/** Formats a line of the log for people: pure. A line that cannot be parsed is shown unchanged. */
import { LOG_LEVELS, type LogLevel, printable } from "@porchlight/shared/model";
import { z } from "zod";

export const LEVELS = LOG_LEVELS;
export type Level = LogLevel;

/** pino's numbers. */
const NUMBERS: Readonly<Record<Level, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

const line = z.looseObject({ level: z.number(), time: z.number(), msg: z.string() });
export type SaidLine = z.infer<typeof line>;
/** Fields that pino adds, and fields that are shown separately. */
const APART: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname"]);

export function isLevel(text: string): text is Level {
  return LEVELS.some((level) => level === text);
}

/** Formats `2026-01-31 10:20:30  warn   the outbox is full  dropped=12`; undefined below the level `least`. */
export function logLine(raw: string, least: Level): string | undefined {
  const said = readLine(raw);
  if (!said) return printable(raw);
  if (!isAsGraveAs(said, least)) return undefined;
  const about = fieldsOf(said).map(([key, value]) =>
    printable(`${key}=${typeof value === "string" ? value : JSON.stringify(value)}`),
  );
  return [timeText(said.time), levelOfLine(said).padEnd(5), [printable(said.msg), ...about].join("  ")].join("  ");
}

/** Undefined for a text that is not a line of pino. */
export function readLine(raw: string): SaidLine | undefined {
  try {
    return line.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}

export function isAsGraveAs({ level }: SaidLine, least: Level): boolean {
  return level >= NUMBERS[least];
}

export function levelOfLine({ level }: SaidLine): Level {
  return [...LEVELS].reverse().find((each) => level >= NUMBERS[each]) ?? "debug";
}

/** The line's fields besides its message. */
export function fieldsOf(said: SaidLine): [string, unknown][] {
  return Object.entries(said).filter(([key]) => !APART.has(key));
}

/** Formats as ISO 8601, which is the Swedish date format; in the reader's time zone. */
function timeText(time: number): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" }).format(time);
}
