/**
 * Every open stream of this node: counts them for each token, has one feed for each ecosystem, and ends streams within
 * `sweepMs` after their credential loses its access.
 */
import {
  type Clock,
  every,
  isNamed,
  KeyedQueue,
  type Log,
  NamedError,
  Tally,
  type Timer,
} from "@porchlight/shared/kernel";
import { STREAM_LIMITS, type StreamWish, streamPlace } from "@porchlight/shared/rest";
import type { Caller, Presenter, Revocations } from "../access/index.ts";
import { type EventNotifier, LogReader } from "../events/index.ts";
import type { Store } from "../store/index.ts";
import { EventStream } from "./event-stream.ts";
import { Feed } from "./feed.ts";
import { concerns, type StreamScope, takeSnapshot } from "./snapshot.ts";

export interface StreamsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly notifier: EventNotifier;
  readonly revocations: Revocations;
  /** Maximum open streams of one token. */
  readonly streamsPerToken: number;
}

/** A reader's request. */
export interface StreamAsked extends StreamScope, StreamWish {}

/** Authenticates the reader's credential again. @throws "Token Invalid", "Token Expired" */
export type StreamAuthenticator = () => Promise<Presenter>;

const { sweepMs, commentMs, fullRetryAfter } = STREAM_LIMITS;

interface Open {
  readonly authenticate: StreamAuthenticator;
  readonly tokenId: string;
  checking: boolean;
  /** A revocation has occurred since its credential was last checked. */
  doubtful: boolean;
  /** It was ending at the previous sweep. */
  ending: boolean;
}

export class Streams implements AsyncDisposable {
  readonly #deps: StreamsDeps;
  readonly #reader: LogReader;
  readonly #open = new Map<EventStream, Open>();
  readonly #ofToken = new Tally<string>();
  readonly #ofEcosystem = new Tally<string>();
  readonly #feeds = new Map<string, Feed>();
  /** One snapshot of an ecosystem at a time, because each is built in memory. */
  readonly #snapshots = new KeyedQueue();
  readonly #timers: Timer[];
  readonly #stopListening: () => void;
  #ended = false;

  private constructor(deps: StreamsDeps) {
    this.#deps = deps;
    this.#reader = new LogReader(deps.store);
    this.#timers = [
      every(deps.clock, "credentials of streams", sweepMs, () => this.#sweep()),
      every(deps.clock, "comments of streams", commentMs, () => this.#comment()),
    ];
    this.#stopListening = deps.revocations.listen((revocation) => {
      for (const [stream, open] of this.#open) {
        if (!concerns(stream.scope, stream.caller, revocation)) continue;
        stream.hold();
        this.#doubt(stream, open);
      }
    });
  }

  static start(deps: StreamsDeps): Streams {
    return new Streams(deps);
  }

  /** Number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a stream of the events that the caller may see.
   * @param authenticate called repeatedly while it is open
   * @throws "Rate Limit Exceeded" when the token has too many open, "Service Unavailable"
   */
  async open(caller: Caller, asked: StreamAsked, authenticate: StreamAuthenticator): Promise<EventStream> {
    const { ecosystemId, environmentId, types, snapshot } = asked;
    const range = await this.#reader.range(ecosystemId);
    if (this.#ended) throw new NamedError("Service Unavailable", "The service is stopping.", { retryAfter: 1 });
    this.#requireRoom(caller.tokenId);
    const stream = new EventStream(
      {
        reader: this.#reader,
        feed: this.#feedOf(ecosystemId, range.newest),
        snapshot: (scope, now) =>
          this.#snapshots.run(ecosystemId, () => takeSnapshot({ ...this.#deps, reader: this.#reader }, scope, now)),
        closed: (closed) => this.#closed(closed),
      },
      { ecosystemId, environmentId, types },
      caller,
      { ...streamPlace(asked.after, range), snapshot },
    );
    this.#open.set(stream, { authenticate, tokenId: caller.tokenId, checking: false, doubtful: false, ending: false });
    this.#ofToken.add(caller.tokenId);
    this.#ofEcosystem.add(ecosystemId);
    return stream;
  }

  /** Ends every stream, and opens no more: their readers reconnect to another node. */
  drain(): void {
    this.#ended = true;
    this.endAll();
  }

  /** Ends the open streams: this node can no longer check their credentials, and their readers reconnect to another. */
  endAll(): void {
    for (const stream of [...this.#open.keys()]) stream.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#stopListening();
    for (const timer of this.#timers) timer.cancel();
    for (const stream of [...this.#open.keys()]) stream.destroy();
    for (const feed of this.#feeds.values()) feed[Symbol.dispose]();
    this.#feeds.clear();
  }

  #requireRoom(tokenId: string): void {
    const held = this.#ofToken.of(tokenId);
    if (held < this.#deps.streamsPerToken) return;
    throw new NamedError("Rate Limit Exceeded", `This token has ${held} streams open, which is its limit.`, {
      retryAfter: fullRetryAfter,
    });
  }

  #feedOf(ecosystemId: string, position: number): Feed {
    const feed =
      this.#feeds.get(ecosystemId) ?? new Feed({ ...this.#deps, reader: this.#reader }, ecosystemId, position);
    this.#feeds.set(ecosystemId, feed);
    return feed;
  }

  #closed(stream: EventStream): void {
    const open = this.#open.get(stream);
    if (!open) return;
    this.#open.delete(stream);
    this.#ofToken.add(open.tokenId, -1);
    const { ecosystemId } = stream.scope;
    if (this.#ofEcosystem.add(ecosystemId, -1) > 0) return;
    this.#feeds.get(ecosystemId)?.[Symbol.dispose]();
    this.#feeds.delete(ecosystemId);
  }

  /** Also reads the log, which makes up for a lost notification. */
  #comment(): void {
    for (const stream of [...this.#open.keys()]) stream.comment();
    for (const feed of this.#feeds.values()) feed.look();
  }

  #sweep(): void {
    for (const [stream, open] of [...this.#open]) {
      if (open.ending) stream.destroy();
      open.ending = stream.finished;
    }
    this.#checkAll();
  }

  #checkAll(): void {
    for (const [stream, open] of this.#open) this.#doubt(stream, open);
  }

  #doubt(stream: EventStream, open: Open): void {
    open.doubtful = true;
    if (!open.checking) void this.#check(stream, open);
  }

  async #check(stream: EventStream, open: Open): Promise<void> {
    open.checking = true;
    try {
      while (open.doubtful && !stream.finished) {
        open.doubtful = false;
        const presenter = await open.authenticate();
        if (presenter.kind === "client") stream.finish();
        else stream.renew(presenter);
      }
      stream.release();
    } catch (error) {
      if (!isNamed(error)) this.#deps.log.error({ error }, "the credential of an event stream could not be checked");
      // Without a successful check the stream ends: a reader with a valid credential reconnects.
      stream.finish();
    } finally {
      open.checking = false;
    }
  }
}
