/** What an event stream is asked with and what it holds to, wherever it is served (A6): its parameters, headers and limits. */
import { badPattern } from "../../events/index.ts";
import { NamedError } from "../../kernel/index.ts";
import { readBoolean } from "../request/query.ts";

/** Query parameters that it takes. */
export const STREAM_QUERY = ["ecosystemId", "environmentId", "types", "snapshot", "lastEventId"] as const;

export const STREAM_MEDIA = "text/event-stream";

/** Nobody between keeps it, or waits for its end before passing it on; and nothing follows it on its connection. */
export const STREAM_HEADERS = { "cache-control": "no-store", "x-accel-buffering": "no", connection: "close" } as const;

/** What every stream holds to. */
export const STREAM_LIMITS = {
  /** A reader that is further behind is cut off, bytes; it can resume. */
  mostBehind: 1024 * 1024,
  /** What is held ready for the connection while it takes no more, bytes. */
  heldReady: 64 * 1024,
  /** Comments that may come due while a reader takes nothing. */
  mostUntaken: 9,
  /** Between two comments, ms: a page that shows what is must know within 15 s that it no longer does. */
  commentMs: 5_000,
  /** Between two looks at all credentials, ms. */
  sweepMs: 2_000,
  /** When a token has as many streams as it may have: come back then, seconds. */
  fullRetryAfter: 5,
} as const;

/** Which events a reader asks for. */
export interface StreamWish {
  /** Patterns of types. */
  readonly types: readonly string[];
  /** Whether it begins with a snapshot. */
  readonly snapshot: boolean;
  /** Sequence of the last event that it has seen; from now on when left out. */
  readonly after: number | undefined;
}

/**
 * @param lastEventId the header of that name, which a browser sends by itself: it comes before the parameter
 * @throws "Query Parameter Invalid"
 */
export function readStreamWish(query: Readonly<Record<string, string>>, lastEventId: string | undefined): StreamWish {
  const types = readTypes(query.types);
  const snapshot = readBoolean("snapshot", query.snapshot) ?? false;
  return { types, snapshot, after: readAfter(lastEventId || query.lastEventId) };
}

/** Which events a log holds: from `oldest` to `newest`; `oldest` is one more when it holds none. */
export interface LogRange {
  readonly oldest: number;
  readonly newest: number;
}

/** Where a stream begins. */
export interface StreamPlace {
  /** Sequence of the last event that its reader has seen, or that there is. */
  readonly after: number;
  /** Whether its reader asked for what comes after that, and not for what happens from now on. */
  readonly resumes: boolean;
  /** Whether what its reader asked for is no longer kept. */
  readonly reset: boolean;
}

/** Where a stream of a log begins whose reader has seen so much; undefined: it has seen nothing. */
export function streamPlace(after: number | undefined, { oldest, newest }: LogRange): StreamPlace {
  if (after === undefined) return { after: newest, resumes: false, reset: false };
  if (after > newest || after + 1 < oldest) return { after: newest, resumes: false, reset: true };
  return { after, resumes: true, reset: false };
}

/** Patterns of types. @param text comma-separated; all types when left out @throws "Query Parameter Invalid" */
export function readTypes(text: string | undefined): readonly string[] {
  if (text === undefined) return ["*"];
  const patterns = text.split(",").map((pattern) => pattern.trim());
  const bad = badPattern(patterns);
  if (bad === undefined) return patterns;
  throw new NamedError(
    "Query Parameter Invalid",
    `\`types\` is a comma-separated list of types such as \`property.changed\` or \`device.*\`; \`${bad}\` does not match any.`,
  );
}

function readAfter(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const after = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(after)) return after;
  throw new NamedError(
    "Query Parameter Invalid",
    "`Last-Event-ID` or `lastEventId` must be the `id` of the last event that you received, a whole number.",
  );
}
