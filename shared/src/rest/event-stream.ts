/**
 * An event stream (A6), from the cloud and at home: its parameters, headers and limits, and its frames, which are server-sent events
 * (WHATWG HTML, 9.2).
 */
import { badPattern } from "../events/index.ts";
import { formatTime, NamedError } from "../kernel/index.ts";
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

/** The common members of every event, and its position. */
export interface EventHead {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  /** Wall-clock ms. */
  readonly createdAt: number;
  readonly ecosystemId: string;
  /** Undefined for an event of the ecosystem itself. */
  readonly environmentId: string | undefined;
}

/** A stored event, ready to be sent. */
export interface WrittenEvent {
  readonly sequence: number;
  readonly type: string;
  /** The whole event, as JSON. */
  readonly text: string;
}

/** The complete event as JSON. @param data its `data`, already JSON: the other members are written around it */
export function eventText(
  { id, sequence, type, createdAt, ecosystemId, environmentId }: EventHead,
  data: string,
): string {
  const environment = environmentId === undefined ? "" : `,"environmentId":"${environmentId}"`;
  const head = `{"id":"${id}","sequence":${sequence},"type":"${type}","createdAt":"${formatTime(createdAt)}"`;
  return `${head},"ecosystemId":"${ecosystemId}"${environment},"data":${data}}`;
}

/** An event with the bytes that every stream sends for it, built once, when the first stream needs it. */
export class EventFrame<E extends WrittenEvent = WrittenEvent> {
  readonly event: E;
  #bytes: Buffer | undefined;

  constructor(event: E) {
    this.event = event;
  }

  get bytes(): Buffer {
    const { sequence, type, text } = this.event;
    this.#bytes ??= Buffer.from(`id: ${sequence}\nevent: ${type}\ndata: ${text}\n\n`);
    return this.#bytes;
  }
}

/**
 * A comment with the position of the stream: a reader that loses its connection resumes there, also before its first event.
 * @param after sequence after which the stream continues; undefined before a reset, which must not be passed over
 */
export function commentFrame(after: number | undefined): Buffer {
  return Buffer.from(after === undefined ? ": still here\n\n" : `: still here\nid: ${after}\n\n`);
}

/** Reports that missed events are deleted. @param after sequence after which the stream continues */
export function resetFrame(after: number): Buffer {
  return Buffer.from(`id: ${after}\nevent: reset\ndata: {}\n\n`);
}

/** Items and characters after which a slice of a snapshot ends. */
const SLICE = { items: 500, length: 256 * 1024 };

/** A snapshot as one event, in slices. */
interface SnapshotFrame {
  /** Sequence of the state that the items represent. */
  readonly sequence: number;
  /** Sequence after which the stream continues: less than `sequence` if its reader resumes. */
  readonly after: number;
  /** JSON of each item. */
  readonly items: Iterable<string>;
}

export function* snapshotSlices({ sequence, after, items }: SnapshotFrame): Generator<Buffer> {
  let slice = `id: ${after}\nevent: snapshot\ndata: {"sequence":${sequence},"items":[`;
  let separator = "";
  let count = 0;
  for (const item of items) {
    slice += separator + item;
    separator = ",";
    count += 1;
    if (count < SLICE.items && slice.length < SLICE.length) continue;
    yield Buffer.from(slice);
    slice = "";
    count = 0;
  }
  yield Buffer.from(`${slice}]}\n\n`);
}
