/** What an event stream is written in, by the cloud and at home: server-sent events (WHATWG HTML, 9.2) as A6 has them. */
import { formatTime } from "../../kernel/index.ts";

/** What every event says of itself, and where it stands. */
export interface EventHead {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  /** Wall-clock ms. */
  readonly createdAt: number;
  readonly ecosystemId: string;
  /** Undefined for what stands in the ecosystem. */
  readonly environmentId: string | undefined;
}

/** An event as it is written: what is told of it, once it has been stored. */
export interface WrittenEvent {
  readonly sequence: number;
  readonly type: string;
  /** The whole event, as JSON. */
  readonly text: string;
}

/** The whole event as JSON. @param data its `data`, which is JSON already: the rest is written around it */
export function eventText(
  { id, sequence, type, createdAt, ecosystemId, environmentId }: EventHead,
  data: string,
): string {
  const environment = environmentId === undefined ? "" : `,"environmentId":"${environmentId}"`;
  const head = `{"id":"${id}","sequence":${sequence},"type":"${type}","createdAt":"${formatTime(createdAt)}"`;
  return `${head},"ecosystemId":"${ecosystemId}"${environment},"data":${data}}`;
}

/** An event, and the bytes that every stream of it is sent: made once, when the first wants it. */
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

/** A slice of a snapshot ends at so many items, or characters. */
const SLICE = { items: 500, length: 256 * 1024 };

/** A snapshot as one event, in slices. */
export interface SnapshotFrame {
  /** Sequence that the items stand at. */
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
