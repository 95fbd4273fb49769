/**
 * One open stream: first what it missed, pulled from the log as fast as its reader takes it, then what happens, as it happens.
 *
 * Invariants: nothing is told twice or left out between the two; what waits for the reader is bounded, by a batch while it
 * catches up and by `mostBehind` after that; what is said in several pieces is not interrupted by anything else; an event is judged by
 * what its reader may see after every change of that which came before the event.
 */
import { Readable } from "node:stream";
import { Rounds } from "@porchlight/shared/kernel";
import {
  commentFrame,
  EventFrame,
  resetFrame,
  STREAM_LIMITS,
  type StreamPlace,
  snapshotSlices,
} from "@porchlight/shared/rest";
import type { Caller } from "../access/index.ts";
import type { LoggedEvent, LogReader } from "../events/index.ts";
import type { Fed, Feed } from "./feed.ts";
import { endsWith, isOpenTo, type Snapshot, type StreamScope, tells } from "./snapshot.ts";

const { mostBehind, heldReady, mostUntaken } = STREAM_LIMITS;

export interface EventStreamDeps {
  readonly reader: LogReader;
  readonly feed: Feed;
  /** What is known now, and where that stands in the log. */
  readonly snapshot: (scope: StreamScope, caller: Caller) => Promise<Snapshot>;
  readonly closed: (stream: EventStream) => void;
}

/** Where a stream begins. */
export interface StreamBegin extends StreamPlace {
  readonly snapshot: boolean;
}

export class EventStream extends Readable implements Fed {
  readonly scope: StreamScope;
  #caller: Caller;
  readonly #deps: EventStreamDeps;
  #after: number;
  #onRead: (() => void) | undefined;
  #inPieces = false;
  /** Comments that were due since the reader last took something. */
  #untaken = 0;
  #finished = false;
  /** What its caller may see is being looked at. */
  #held = false;
  #toBegin: StreamBegin | undefined;
  readonly #following = new Rounds(() => this.#follow());

  constructor(deps: EventStreamDeps, scope: StreamScope, caller: Caller, begin: StreamBegin) {
    super({ highWaterMark: heldReady });
    this.#deps = deps;
    this.scope = scope;
    this.#caller = caller;
    this.#after = begin.after;
    this.push(commentFrame(begin.reset ? undefined : begin.after));
    this.#toBegin = begin;
    this.#goAfter();
  }

  /** Who follows it, as was known last. */
  get caller(): Caller {
    return this.#caller;
  }

  /** Whether it has been told to end: what its reader has not taken soon after is thrown away. */
  get finished(): boolean {
    return this.#finished;
  }

  /** What its caller may see is changing: nothing is told until `release`, and then what happened meanwhile and may be seen. */
  hold(): void {
    this.#held = true;
    this.#deps.feed.leave(this);
  }

  /** Its caller may see other environments now, or nothing at all. */
  renew(caller: Caller): void {
    this.#caller = caller;
    if (!isOpenTo(this.scope, caller)) this.finish();
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#goAfter();
  }

  /** Says that somebody is there; cuts a reader off that waits to be told more and has taken nothing for long. */
  comment(): void {
    if (this.#finished) return;
    if (this.#onRead) {
      this.#untaken += 1;
      if (this.#untaken > mostUntaken) this.destroy();
    } else if (!this.#inPieces && this.readableLength < heldReady) this.push(commentFrame(this.#after));
  }

  /** Ends it once its reader has what has been said. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#deps.feed.leave(this);
    this.push(null);
    this.#goOn();
  }

  tell(frame: EventFrame<LoggedEvent>): void {
    this.#tell(frame);
    if (this.readableLength > mostBehind) this.destroy();
  }

  lost(after: number): void {
    this.#after = after;
    this.push(resetFrame(after));
  }

  override _read(): void {
    this.#untaken = 0;
    this.#goOn();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#finished = true;
    this.#deps.feed.leave(this);
    this.#goOn();
    this.#deps.closed(this);
    callback(error);
  }

  /** Tells what there is to tell, up to where the feed goes on by itself. */
  #goAfter(): void {
    this.#following.ask().catch((error: unknown) => {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  }

  async #follow(): Promise<void> {
    const { reader, feed } = this.#deps;
    const begin = this.#toBegin;
    this.#toBegin = undefined;
    if (begin?.reset) this.push(resetFrame(this.#after));
    if (begin?.snapshot) await this.#tellSnapshot(begin);
    while (!this.#finished && !this.#held && !feed.join(this, this.#after)) {
      const slice = await reader.read(this.scope.ecosystemId, this.#after);
      if (this.#finished || this.#held) return;
      if (slice.kind === "lost") {
        this.lost(slice.after);
        continue;
      }
      for (const event of slice.events) {
        if (!this.#tell(new EventFrame(event))) await this.#taken();
        if (this.#finished || this.#held) return;
      }
    }
    feed.look();
  }

  /** Whether the reader takes more at once. */
  #tell(frame: EventFrame<LoggedEvent>): boolean {
    const { event } = frame;
    if (this.#finished || event.sequence <= this.#after) return true;
    this.#after = event.sequence;
    const goesOn = !tells(this.scope, this.#caller, event) || this.push(frame.bytes);
    if (endsWith(this.scope, event)) this.finish();
    return goesOn;
  }

  async #tellSnapshot({ resumes }: StreamBegin): Promise<void> {
    const { sequence, items } = await this.#deps.snapshot(this.scope, this.#caller);
    if (this.#finished) return;
    // A caller that resumes misses nothing that is still kept, even when the snapshot has told it already.
    if (!resumes) this.#after = sequence;
    this.#inPieces = true;
    for (const piece of snapshotSlices({ sequence, after: this.#after, items })) {
      if (!this.push(piece)) await this.#taken();
      if (this.#finished) return;
    }
    this.#inPieces = false;
  }

  /** Settles when the reader takes more, or is gone. */
  #taken(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRead = resolve;
    });
  }

  #goOn(): void {
    const goOn = this.#onRead;
    this.#onRead = undefined;
    goOn?.();
  }
}
