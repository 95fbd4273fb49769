/**
 * One open stream of the API at home: it is pulled from the log in `agent.db` as fast as its reader takes it, so that nothing waits
 * in memory for a slow one but what is on its way.
 *
 * Invariants: events are told in the order of the log, each once; what is said in several pieces is not interrupted by
 * anything else.
 */

import { Readable } from "node:stream";
import { wants } from "@porchlight/shared/events";
import {
  commentFrame,
  EventFrame,
  resetFrame,
  STREAM_LIMITS,
  type StreamPlace,
  snapshotSlices,
} from "@porchlight/shared/rest";
import type { Home } from "../../state/index.ts";

const { mostBehind, heldReady, mostUntaken } = STREAM_LIMITS;
/** Events read at once. */
const BATCH = 64;
/** Events that may be passed over before other work has its turn. */
const TURN = 512;

/** All that is known at a moment, and where that stands in the log. */
export interface HomeSnapshot {
  readonly sequence: number;
  /** JSON of each item, made when it is taken. */
  readonly items: Iterable<string>;
}

export interface HomeStreamBegin extends StreamPlace {
  /** Patterns of types. */
  readonly types: readonly string[];
  /** Where its reader wants to be told first what is known. */
  readonly snapshot: HomeSnapshot | undefined;
}

export interface HomeStreamDeps {
  readonly log: Pick<Home["log"], "read" | "appended">;
  readonly closed: (stream: HomeStream) => void;
}

export class HomeStream extends Readable {
  readonly #deps: HomeStreamDeps;
  readonly #types: readonly string[];
  /** What must be said before the first event. */
  readonly #first: Iterator<Buffer>;
  #after: number;
  /** The reader takes more. */
  #takes = false;
  /** It has once been told everything. */
  #live = false;
  /** How much of the log it has been told, in bytes ever appended; right while it is live. */
  #told = 0;
  /** Comments that were due since the reader last took something. */
  #untaken = 0;
  #finished = false;

  constructor(deps: HomeStreamDeps, begin: HomeStreamBegin) {
    super({ highWaterMark: heldReady });
    const { after, resumes, types, snapshot } = begin;
    this.#deps = deps;
    this.#types = types;
    // A caller that resumes misses nothing that is still kept, even when the snapshot has told it already.
    this.#after = snapshot && !resumes ? snapshot.sequence : after;
    this.#first = opening(begin, this.#after);
  }

  /** Whether it has been told to end: what its reader has not taken soon after is thrown away. */
  get finished(): boolean {
    return this.#finished;
  }

  /** The log has grown. A reader that has fallen too far behind is cut off. */
  wake(): void {
    const isBehind = this.#live && !this.#takes && this.#deps.log.appended - this.#told > mostBehind;
    if (isBehind) this.destroy();
    else this.#goOn();
  }

  /** Says that somebody is there; cuts a reader off that has taken nothing for long. */
  comment(): void {
    if (this.#finished) return;
    if (this.#takes) this.#takes = this.push(commentFrame(this.#after));
    else {
      this.#untaken += 1;
      if (this.#untaken > mostUntaken) this.destroy();
    }
  }

  /** Ends it once its reader has what has been said. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.push(null);
  }

  override _read(): void {
    this.#untaken = 0;
    this.#takes = true;
    this.#goOn();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#finished = true;
    this.#deps.closed(this);
    callback(error);
  }

  #goOn(): void {
    if (this.#finished) return;
    while (this.#takes) {
      const { done, value } = this.#first.next();
      if (done) break;
      this.#takes = this.push(value);
    }
    for (let passed = 0; this.#takes; passed += BATCH) {
      if (passed < TURN) {
        if (!this.#tellSome()) return;
      } else {
        setImmediate(() => this.#goOn());
        return;
      }
    }
  }

  /** Whether there may be more to tell. */
  #tellSome(): boolean {
    const slice = this.#deps.log.read(this.#after, BATCH);
    if (slice.kind === "lost") {
      this.#after = slice.after;
      this.#live = false;
      this.#takes = this.push(resetFrame(slice.after));
      return true;
    }
    for (const event of slice.events) {
      this.#after = event.sequence;
      this.#told += Buffer.byteLength(event.text);
      if (!wants(this.#types, event.type)) continue;
      this.#takes = this.push(new EventFrame(event).bytes);
      if (!this.#takes) return true;
    }
    if (slice.events.length > 0) return true;
    this.#live = true;
    this.#told = this.#deps.log.appended;
    return false;
  }
}

/** @param continues sequence after which the stream continues after the snapshot */
function* opening({ after, reset, snapshot }: HomeStreamBegin, continues: number): Generator<Buffer, undefined> {
  yield commentFrame(reset ? undefined : after);
  if (reset) yield resetFrame(after);
  if (snapshot) yield* snapshotSlices({ ...snapshot, after: continues });
  return undefined;
}
