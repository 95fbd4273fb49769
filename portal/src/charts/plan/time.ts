/** Times of history: the service's text as a number, and when a step that began then ends. Pure. */
import type { HistoryResolution } from "@porchlight/shared/api";
import { HOUR } from "./span.ts";

/** The service's `YYYY-MM-DD HH:MM:SSZ` as ms since 1970; undefined for what is no such time. */
export function msOf(text: string): number | undefined {
  const ms = Date.parse(text.replace(" ", "T"));
  return Number.isNaN(ms) ? undefined : ms;
}

/** As the service takes it. @param ms since 1970 */
export function serviceTimeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")}Z`;
}

/** When a step ends. Days and months are those of this computer's time zone, which are asked for. @param at when it began, ms since 1970 */
export function endOfStep(at: number, resolution: HistoryResolution): number {
  const begin = new Date(at);
  switch (resolution) {
    case "raw":
      return at;
    case "5m":
      return at + 300_000;
    case "1h":
      return at + HOUR;
    case "1d":
      return new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + 1).getTime();
    case "1mo":
      return new Date(begin.getFullYear(), begin.getMonth() + 1, 1).getTime();
  }
}
