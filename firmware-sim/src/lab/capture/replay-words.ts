/** What happens in a replay, as lines for a person and as NDJSON. */
import type { Message } from "@porchlight/shared/wire";
import type { ReplayEvent } from "./replay.ts";
import { inWords } from "./words.ts";

const words = (message: Message | undefined) => (message ? inWords(message) : "bytes as they were captured");

/** One event as lines of text; what is wrong begins with `!`. */
export function eventLines(event: ReplayEvent): string[] {
  switch (event.kind) {
    case "said":
      return [`  said      ${words(event.message)}`];
    case "heard":
      return [`  heard     ${words(event.message)}`];
    case "waits":
      return [`  waits for ${words(event.message)}`];
    case "differs":
      return [`! expected  ${words(event.expected)}`, `  came      ${words(event.came)}`];
    case "besides":
      return [`! besides   ${words(event.came)}`];
    case "damaged":
      return [`! damaged   ${event.damage.rule}: ${event.damage.what}`];
    case "never":
      return [`! never     ${words(event.expected)}${event.reason === undefined ? "" : ` (${event.reason})`}`];
  }
}

/** One event as a line of NDJSON. */
export function eventJson(event: ReplayEvent): string {
  const said = "message" in event ? event.message : undefined;
  return JSON.stringify({ event: event.kind, ...event, kind: undefined, words: said && inWords(said) });
}
