/** A line of the log for people: pure. What cannot be read as one is shown as it is. */
import { z } from "zod";

export const LEVELS = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof LEVELS)[number];

/** pino's numbers. */
const NUMBERS: Readonly<Record<Level, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

const line = z.looseObject({ level: z.number(), time: z.number(), msg: z.string() });
/** What pino adds, and what is shown apart. */
const APART: ReadonlySet<string> = new Set(["level", "time", "msg", "pid", "hostname"]);

export function isLevel(text: string): text is Level {
  return LEVELS.some((level) => level === text);
}

/** `2026-01-31 10:20:30  warn   the outbox is full  dropped=12`; undefined for what is less grave than `least`. */
export function logLine(raw: string, least: Level): string | undefined {
  const said = read(raw);
  if (!said) return raw;
  if (said.level < NUMBERS[least]) return undefined;
  const level = [...LEVELS].reverse().find((each) => said.level >= NUMBERS[each]) ?? "debug";
  const fields = Object.entries(said).filter(([key]) => !APART.has(key));
  const about = fields.map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [timeText(said.time), level.padEnd(5), [said.msg, ...about].join("  ")].join("  ");
}

function read(raw: string): z.infer<typeof line> | undefined {
  try {
    return line.safeParse(JSON.parse(raw)).data;
  } catch {
    return undefined;
  }
}

/** The Swedish way of writing a time is ISO 8601; in the reader's zone. */
function timeText(time: number): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium" }).format(time);
}
