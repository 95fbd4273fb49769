/**
 * One open stream: first the missed events, read from the log as fast as its reader takes them, then live events.
 *
 * Invariants: no event is sent twice or left out between the two; the data waiting for the reader is bounded, by a
 * batch while it catches up and by `mostBehind` afterwards; a message of several pieces is not interrupted; an event is
 * filtered by the reader's access after every access change that precedes the event.
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
import { endsWith, includesEvent, isOpenTo, type Snapshot, type StreamScope } from "./snapshot.ts";

const { mostBehind, heldReady, mostUntaken } = STREAM_LIMITS;

export interface EventStreamDeps {
  readonly reader: LogReader;
  readonly feed: Feed;
  /** The current state, and its position in the log. */
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
  /** Comments that were due since the reader last took data. */
  #untaken = 0;
  #finished = false;
  /** Its caller's access is being checked. */
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

  /** The caller, as last authenticated. */
  get caller(): Caller {
    return this.#caller;
  }

  /** Whether it is ending: data that its reader does not take soon is dropped. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Stops sending while the caller's access changes; `release` then sends the events since that the caller may see. */
  hold(): void {
    this.#held = true;
    this.#deps.feed.leave(this);
  }

  /** Applies the caller's new access, which may be to other environments, or to none. */
  renew(caller: Caller): void {
    this.#caller = caller;
    if (!isOpenTo(this.scope, caller)) this.finish();
  }

  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#goAfter();
  }

  /** Sends a keep-alive comment; disconnects a reader that has taken nothing for long although data waits. */
  comment(): void {
    if (this.#finished) return;
    if (this.#onRead) {
      this.#untaken += 1;
      if (this.#untaken > mostUntaken) this.destroy();
    } else if (!this.#inPieces && this.readableLength < heldReady) this.push(commentFrame(this.#after));
  }

  /** Ends the stream once its reader has all that was sent. */
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

  /** Catches up with the log, until the feed takes over. */
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

  /** Returns whether the reader takes more at once. */
  #tell(frame: EventFrame<LoggedEvent>): boolean {
    const { event } = frame;
    if (this.#finished || event.sequence <= this.#after) return true;
    this.#after = event.sequence;
    const goesOn = !includesEvent(this.scope, this.#caller, event) || this.push(frame.bytes);
    if (endsWith(this.scope, event)) this.finish();
    return goesOn;
  }

  async #tellSnapshot({ resumes }: StreamBegin): Promise<void> {
    const { sequence, items } = await this.#deps.snapshot(this.scope, this.#caller);
    if (this.#finished) return;
    // A caller that resumes gets every event that is still stored, even if the snapshot includes it.
    if (!resumes) this.#after = sequence;
    this.#inPieces = true;
    for (const piece of snapshotSlices({ sequence, after: this.#after, items })) {
      if (!this.push(piece)) await this.#taken();
      if (this.#finished) return;
    }
    this.#inPieces = false;
  }

  /** Resolves when the reader takes more, or is gone. */
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
