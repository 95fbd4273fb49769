/** Parameters, headers and limits of an event stream, wherever it is served (A6). */
import { badPattern } from "../events/index.ts";
import { NamedError } from "../kernel/index.ts";
import { readBoolean } from "./request/query.ts";

/** Query parameters of a stream. */
export const STREAM_QUERY = ["ecosystemId", "environmentId", "types", "snapshot", "lastEventId"] as const;

export const STREAM_MEDIA = "text/event-stream";

/** Proxies must not store the stream or buffer it until its end; and no other answer follows on its connection. */
export const STREAM_HEADERS = { "cache-control": "no-store", "x-accel-buffering": "no", connection: "close" } as const;

/** Limits of every stream. */
export const STREAM_LIMITS = {
  /** A reader that falls further behind is disconnected, bytes; it can resume. */
  mostBehind: 1024 * 1024,
  /** Bytes that are queued for the connection while it accepts no more. */
  heldReady: 64 * 1024,
  /** Number of comments that may become due while a reader accepts nothing. */
  mostUntaken: 9,
  /** Interval of comments, ms: a page with live values must notice within 15 s that the stream is dead. */
  commentMs: 5_000,
  /** Interval between two checks of all credentials, ms. */
  sweepMs: 2_000,
  /** `retry-after` when a token has reached its limit of streams, seconds. */
  fullRetryAfter: 5,
} as const;

/** A reader's request for events. */
export interface StreamWish {
  /** Patterns of types. */
  readonly types: readonly string[];
  /** Whether the stream begins with a snapshot. */
  readonly snapshot: boolean;
  /** Sequence of the last event that the reader has seen; when omitted, the stream begins with new events. */
  readonly after: number | undefined;
}

/**
 * @param lastEventId the header of that name, which a browser sends on its own; it takes precedence over the parameter
 * @throws "Query Parameter Invalid"
 */
export function readStreamWish(query: Readonly<Record<string, string>>, lastEventId: string | undefined): StreamWish {
  const types = readTypes(query.types);
  const snapshot = readBoolean("snapshot", query.snapshot) ?? false;
  return { types, snapshot, after: readAfter(lastEventId || query.lastEventId) };
}

/** The range of events in a log, from `oldest` to `newest`; an empty log has `oldest` one above `newest`. */
export interface LogRange {
  readonly oldest: number;
  readonly newest: number;
}

/** The start of a stream. */
export interface StreamPlace {
  /** Sequence of the last event that the reader has seen, or else of the newest one. */
  readonly after: number;
  /** Whether the reader asked to continue after an event, rather than to begin with new events. */
  readonly resumes: boolean;
  /** Whether the events that the reader asked for are no longer kept. */
  readonly reset: boolean;
}

/** The start of a stream for a reader that has seen the log up to `after`; undefined: it has seen nothing. */
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
