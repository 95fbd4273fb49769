/** One connection of an event stream: from the bytes of an answer to its messages, until it ends or falls silent. */
import { type Clock, LinkedAbort } from "@porchlight/shared/kernel";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { errorOf, PorchlightError } from "../transport/errors.ts";
import type { Transport } from "../transport/transport.ts";

/** The service says something every 5 s, one of before every 15 s; after three times that the connection is taken for dead, ms. */
const LONGEST_SILENCE = 45_000;

export interface StreamAsked {
  readonly query: Readonly<Record<string, string | boolean | undefined>>;
  /** Events after this sequence; from now on without it. */
  readonly after: number | undefined;
  /** Told when the service has begun to answer. */
  readonly onOpen: () => void;
  /** Told when it has said anything. */
  readonly onHeard: (() => void) | undefined;
  /** ms */
  readonly silenceMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Messages until the connection ends.
 * @throws PorchlightError, "Connection Failed" or "Timed Out" when it breaks; the signal's reason when the caller ends it
 */
export async function* messages(
  transport: Transport,
  asked: StreamAsked,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const { fetch, clock } = transport.settings;
  const silence = new Silence(clock, asked.silenceMs ?? LONGEST_SILENCE, asked.signal);
  const headers = {
    ...transport.headers,
    accept: "text/event-stream",
    ...(asked.after !== undefined && { "last-event-id": String(asked.after) }),
  };
  const read: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void read.push(message) });
  try {
    const response = await fetch(transport.url("/api/events", asked.query), {
      method: "GET",
      headers,
      signal: silence.signal,
    });
    if (!response.ok || !response.body) throw errorOf(response, await response.text());
    asked.onOpen();
    const decoder = new TextDecoder();
    for await (const bytes of chunks(response.body)) {
      silence.broken();
      asked.onHeard?.();
      parser.feed(decoder.decode(bytes, { stream: true }));
      yield* read.splice(0);
    }
  } catch (cause) {
    asked.signal?.throwIfAborted();
    if (cause instanceof PorchlightError) throw cause;
    if (silence.signal.aborted) throw new PorchlightError("Timed Out", "The stream has fallen silent.", { cause });
    throw new PorchlightError("Connection Failed", "The stream broke.", { cause });
  } finally {
    silence.end();
  }
}

/** Not every runtime can iterate over a stream of bytes. */
async function* chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
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
class Silence {
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
