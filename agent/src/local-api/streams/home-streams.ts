/**
 * Every open stream of the API at home: how many there may be, their comments, and one sweep that ends what its token no longer
 * carries. Without followers the hub has no timer for it.
 */
import { type Clock, every, NamedError, type Timer } from "@porchlight/shared/kernel";
import { STREAM_LIMITS, type StreamWish, streamPlace } from "@porchlight/shared/rest";
import type { LocalToken, State } from "../../state/index.ts";
import { type HomeSnapshot, HomeStream } from "./home-stream.ts";

export interface HomeStreamsDeps {
  readonly clock: Clock;
  readonly state: Pick<State, "home">;
  /** JSON of each item that is known now, made when it is taken. */
  readonly items: () => Iterable<string>;
}

const { sweepMs, commentMs, fullRetryAfter } = STREAM_LIMITS;
/** Streams that one token may have open, and all together: each holds a connection of those that the hub has. */
const MOST_OF_TOKEN = 20;
const MOST = 128;

interface Open {
  readonly token: LocalToken;
  /** It had been told to end at the sweep before. */
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

  /** Begins a stream. @throws "Rate Limit Exceeded" when the token has too many open, "Service Unavailable" when all together have */
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

  /** A stream may close while it is told something. */
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
