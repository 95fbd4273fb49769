/** Reads the body of an answer as it arrives, with a limit on silence: shared by event streams and downloads. */
import { type Clock, LinkedAbort } from "@porchlight/shared/kernel";

/** A reader loop, because not every runtime can iterate over a byte stream. */
export async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Close the connection when the consumer stops reading; a failure means that it is already broken.
    await reader.cancel().catch(() => undefined);
  }
}

/** Aborts a connection that has been silent for too long, or whose caller aborts. */
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
