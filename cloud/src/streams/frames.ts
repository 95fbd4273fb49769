/** What a stream is written in: server-sent events (WHATWG HTML, 9.2) as the contract, section 6, has them. */
import type { LoggedEvent } from "../events/index.ts";

/** An event, and the bytes that every stream of it is sent: made once, when the first wants it. */
export class EventFrame {
  readonly event: LoggedEvent;
  #bytes: Buffer | undefined;

  constructor(event: LoggedEvent) {
    this.event = event;
  }

  get bytes(): Buffer {
    const { sequence, type, text } = this.event;
    this.#bytes ??= Buffer.from(`id: ${sequence}\nevent: ${type}\ndata: ${text}\n\n`);
    return this.#bytes;
  }
}

/** Says that somebody is there. */
export const COMMENT = Buffer.from(": still here\n\n");

/** Says that what was missed is no longer kept. */
export const RESET = Buffer.from("event: reset\ndata: {}\n\n");

/** Items of a slice of a snapshot. */
const SLICE = 500;

/** One event, in slices. @param items JSON each */
export function* snapshotSlices(sequence: number, items: Iterable<string>): Generator<Buffer> {
  let slice = `event: snapshot\ndata: {"sequence":${sequence},"items":[`;
  let separator = "";
  let count = 0;
  for (const item of items) {
    slice += separator + item;
    separator = ",";
    count += 1;
    if (count % SLICE > 0) continue;
    yield Buffer.from(slice);
    slice = "";
  }
  yield Buffer.from(`${slice}]}\n\n`);
}
