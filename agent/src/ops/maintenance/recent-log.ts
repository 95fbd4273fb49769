/** The last minutes of a hub's log, within the bounds of one answer: pure. The newest lines are kept where there are too many. */
import {
  LONGEST_LOG_LINE,
  type LoggedLine,
  type LogLevel,
  MOST_LOG_BYTES,
  MOST_LOG_LINES,
} from "@porchlight/shared/model";
import { fieldsOf, isAsGraveAs, levelOfLine, readLine } from "../logs/log-text.ts";
import type { Redact } from "./redact.ts";

/** What is looked at of one line, characters: more is cut off before it costs time. */
const LONGEST_RAW = 16 * 1024;

export interface RecentLog {
  /** Oldest first. */
  readonly lines: readonly LoggedLine[];
  /** Older lines of that time were left out. */
  readonly isCut: boolean;
  /** When the oldest line was written, of any level and time; undefined when there is none. */
  readonly oldestAt: number | undefined;
}

/**
 * @param raws lines as the agent wrote them, oldest first
 * @param from wall-clock ms: what is older is left out
 * @param least what is less grave is left out
 */
export function recentLog(raws: readonly string[], from: number, least: LogLevel, redact: Redact): RecentLog {
  const newestFirst: LoggedLine[] = [];
  let [bytes, isCut] = [0, false];
  for (const raw of raws.toReversed()) {
    const said = readLine(raw);
    // A line that a power failure cut short is none.
    if (!said || said.time < from || !isAsGraveAs(said, least)) continue;
    const fields = fieldsOf(said).map(([key, value]) => `${key}=${redact.field(key, value).slice(0, LONGEST_RAW)}`);
    const text = cut([redact.text(said.msg.slice(0, LONGEST_RAW)), ...fields].join("  "));
    const line = { at: said.time, level: levelOfLine(said), text };
    bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
    if (newestFirst.length === MOST_LOG_LINES || bytes > MOST_LOG_BYTES) {
      isCut = true;
      break;
    }
    newestFirst.push(line);
  }
  return { lines: newestFirst.toReversed(), isCut, oldestAt: oldestOf(raws) };
}

function oldestOf(raws: readonly string[]): number | undefined {
  for (const raw of raws) {
    const said = readLine(raw);
    if (said) return said.time;
  }
  return undefined;
}

function cut(text: string): string {
  return text.length > LONGEST_LOG_LINE ? `${text.slice(0, LONGEST_LOG_LINE)}…` : text;
}
