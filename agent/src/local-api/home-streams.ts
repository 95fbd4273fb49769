/**
 * The open streams of the API at home. Each reads the log in `agent.db` as fast as its reader accepts data, so that for a slow reader
 * memory holds only the data in flight.
 *
 * Invariants: events are sent in the order of the log, each once; nothing interrupts a message that consists of several pieces.
 */
import { Readable } from "node:stream";
import { wants } from "@porchlight/shared/events";
import { type Clock, every, NamedError, type Timer } from "@porchlight/shared/kernel";
import {
  commentFrame,
  EventFrame,
  resetFrame,
  STREAM_LIMITS,
  type StreamPlace,
  type StreamWish,
  snapshotSlices,
  streamPlace,
} from "@porchlight/shared/rest";
import type { Home, LocalToken, State } from "../state/index.ts";

/**
 * One open stream of the API at home: it reads the log in `agent.db` as fast as its reader accepts data, so that for a slow reader memory
 * holds only the data in flight.
 *
 * Invariants: events are sent in the order of the log, each once; nothing interrupts a message that consists of several pieces.
 */
const { mostBehind, heldReady, mostUntaken } = STREAM_LIMITS;
/** Events read at once. */
const BATCH = 64;
/** Events that may be skipped before other work gets its turn. */
const TURN = 512;

/** All current items, and their place in the log. */
interface HomeSnapshot {
  readonly sequence: number;
  /** JSON of each item, built when it is read. */
  readonly items: Iterable<string>;
}

interface HomeStreamBegin extends StreamPlace {
  /** Patterns of types. */
  readonly types: readonly string[];
  /** The snapshot to send first, if the reader requested it. */
  readonly snapshot: HomeSnapshot | undefined;
}

interface HomeStreamDeps {
  readonly log: Pick<Home["log"], "read" | "appended">;
  readonly closed: (stream: HomeStream) => void;
}

class HomeStream extends Readable {
  readonly #deps: HomeStreamDeps;
  readonly #types: readonly string[];
  /** The data to send before the first event. */
  readonly #first: Iterator<Buffer>;
  #after: number;
  /** The reader accepts more. */
  #takes = false;
  /** The reader has received everything once. */
  #live = false;
  /** The position in the log that was sent, in bytes ever appended; valid while the stream is live. */
  #sent = 0;
  /** Comments that were due since the reader last accepted data. */
  #untaken = 0;
  #finished = false;

  constructor(deps: HomeStreamDeps, begin: HomeStreamBegin) {
    super({ highWaterMark: heldReady });
    const { after, resumes, types, snapshot } = begin;
    this.#deps = deps;
    this.#types = types;
    // A caller that resumes misses no event that is still kept, even if the snapshot includes it already.
    this.#after = snapshot && !resumes ? snapshot.sequence : after;
    this.#first = opening(begin, this.#after);
  }

  /** Whether `finish` was called: data that its reader does not accept soon after is discarded. */
  get finished(): boolean {
    return this.#finished;
  }

  /** Reads on, because the log has grown. A reader that is too far behind is disconnected. */
  wake(): void {
    const isBehind = this.#live && !this.#takes && this.#deps.log.appended - this.#sent > mostBehind;
    if (isBehind) this.destroy();
    else this.#goOn();
  }

  /** Sends a comment as a sign of life; disconnects a reader that has accepted nothing for long. */
  comment(): void {
    if (this.#finished) return;
    if (this.#takes) this.#takes = this.push(commentFrame(this.#after));
    else {
      this.#untaken += 1;
      if (this.#untaken > mostUntaken) this.destroy();
    }
  }

  /** Ends the stream after its reader has received the data sent so far. */
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

  /** Sends a batch; returns whether there may be more. */
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
      this.#sent += Buffer.byteLength(event.text);
      if (!wants(this.#types, event.type)) continue;
      this.#takes = this.push(new EventFrame(event).bytes);
      if (!this.#takes) return true;
    }
    if (slice.events.length > 0) return true;
    this.#live = true;
    this.#sent = this.#deps.log.appended;
    return false;
  }
}

/** @param continues sequence from which the stream continues after the snapshot */
function* opening({ after, reset, snapshot }: HomeStreamBegin, continues: number): Generator<Buffer, undefined> {
  yield commentFrame(reset ? undefined : after);
  if (reset) yield resetFrame(after);
  if (snapshot) yield* snapshotSlices({ ...snapshot, after: continues });
  return undefined;
}

interface HomeStreamsDeps {
  readonly clock: Clock;
  readonly state: Pick<State, "home">;
  /** JSON of the item of each property with a value, built when it is read. */
  readonly items: () => Iterable<string>;
}

const { sweepMs, commentMs, fullRetryAfter } = STREAM_LIMITS;
/** Maximum streams of one token, and in total: each uses one of the hub's connections. */
const MOST_OF_TOKEN = 20;
const MOST = 128;

interface Open {
  readonly token: LocalToken;
  /** The previous sweep has called `finish`. */
  ending: boolean;
}

export class HomeStreams {
  readonly #deps: HomeStreamsDeps;
  readonly #open = new Map<HomeStream, Open>();
  /** Runs while a stream is open. */
  #watch: readonly Timer[] = [];
  #stopListening: () => void = () => undefined;

  constructor(deps: HomeStreamsDeps) {
    this.#deps = deps;
  }

  /** Opens a stream. @throws "Rate Limit Exceeded" when the token has too many, "Service Unavailable" when there are too many in total */
  open(token: LocalToken, { types, snapshot, after }: StreamWish): HomeStream {
    const { log } = this.#deps.state.home;
    this.#requireRoom(token);
    const begin = { ...streamPlace(after, log.range), types, snapshot: snapshot ? this.#snapshot() : undefined };
    const stream = new HomeStream({ log, closed: (closed) => this.#closed(closed) }, begin);
    if (this.#open.size === 0) this.#begin();
    this.#open.set(stream, { token, ending: false });
    return stream;
  }

  #snapshot(): HomeSnapshot {
    return { sequence: this.#deps.state.home.log.range.newest, items: this.#deps.items() };
  }

  #requireRoom({ id }: LocalToken): void {
    const retryAfter = fullRetryAfter;
    if (this.#open.size >= MOST)
      throw new NamedError("Service Unavailable", `The hub has ${MOST} streams open, which is its limit.`, {
        retryAfter,
      });
    const held = [...this.#open.values()].filter(({ token }) => token.id === id).length;
    if (held < MOST_OF_TOKEN) return;
    throw new NamedError("Rate Limit Exceeded", `This token has ${held} streams open, which is its limit.`, {
      retryAfter,
    });
  }

  #begin(): void {
    const { clock, state } = this.#deps;
    this.#watch = [
      every(clock, "tokens of streams at home", sweepMs, () => this.#sweep()),
      every(clock, "comments of streams at home", commentMs, () => this.#each((stream) => stream.comment())),
    ];
    this.#stopListening = state.home.log.listen(() => this.#each((stream) => stream.wake()));
  }

  #closed(stream: HomeStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    for (const timer of this.#watch) timer.cancel();
    this.#stopListening();
  }

  /** Iterates over a copy, because a stream can close during a call. */
  #each(what: (stream: HomeStream) => void): void {
    for (const stream of [...this.#open.keys()]) what(stream);
  }

  #sweep(): void {
    for (const [stream, open] of [...this.#open]) {
      if (open.ending) stream.destroy();
      if (this.#deps.state.home.token(open.token.hash)?.id !== open.token.id) stream.finish();
      open.ending = stream.finished;
    }
  }
}
