/** The body of an answer as it comes, and how long it may say nothing: what event streams and downloads have in common. */
import { type Clock, LinkedAbort } from "@porchlight/shared/kernel";

/** Not every runtime can iterate over a stream of bytes. */
export async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever stops reading closes the connection; that it may be broken already is nothing new.
    await reader.cancel().catch(() => undefined);
  }
}

/** Ends what has said nothing for too long, and what its caller ends. */
export class Silence {
  readonly #clock: Clock;
  readonly #longestMs: number;
  readonly #abort: LinkedAbort;
  #timer: { cancel(): void };

  constructor(clock: Clock, longestMs: number, signal: AbortSignal | undefined) {
    this.#clock = clock;
    this.#longestMs = longestMs;
    this.#abort = new LinkedAbort(signal);
    this.#timer = this.#begin();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  broken(): void {
    this.#timer.cancel();
    this.#timer = this.#begin();
  }

  end(): void {
    this.#timer.cancel();
    this.#abort.end();
  }

  #begin(): { cancel(): void } {
    return this.#clock.timer("silence of the stream", this.#longestMs, () => this.#abort.abort());
  }
}
