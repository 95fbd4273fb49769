/** The frames of an event stream, from the cloud and at home: server-sent events (WHATWG HTML, 9.2) as A6 defines them. */
import { formatTime } from "../kernel/index.ts";

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
export interface SnapshotFrame {
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
