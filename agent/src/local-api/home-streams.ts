/**
 * All open streams of the API at home: their limits, their comments, and a sweep that ends streams whose token was revoked. Without open
 * streams the hub has no timer for it.
 */
import { type Clock, every, NamedError, type Timer } from "@porchlight/shared/kernel";
import { STREAM_LIMITS, type StreamWish, streamPlace } from "@porchlight/shared/rest";
import type { LocalToken, State } from "../state/index.ts";
import { type HomeSnapshot, HomeStream } from "./home-stream.ts";

export interface HomeStreamsDeps {
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
