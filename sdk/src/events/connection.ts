/** One connection of an event stream: from the bytes of an answer to its messages, until it ends or falls silent. */
import { createParser } from "eventsource-parser";
import { bytesOf, Silence } from "../transport/bytes.ts";
import { errorOf, PorchlightError } from "../transport/errors.ts";
import type { Transport } from "../transport/transport.ts";

/** The service says something every 5 s, one of before every 15 s; after three times that the connection is taken for dead, ms. */
const LONGEST_SILENCE = 45_000;

/** A message of a stream. */
export interface StreamMessage {
  readonly event?: string | undefined;
  /** Undefined: the message has only a position. */
  readonly data: string | undefined;
  /** Sequence after which the stream continues; undefined: the message does not change it. */
  readonly position: number | undefined;
}

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
): AsyncGenerator<StreamMessage, void, undefined> {
  const { fetch, clock } = transport.settings;
  const silence = new Silence(clock, asked.silenceMs ?? LONGEST_SILENCE, asked.signal);
  const headers = {
    ...transport.headers,
    accept: "text/event-stream",
    ...(asked.after !== undefined && { "last-event-id": String(asked.after) }),
  };
  const read: StreamMessage[] = [];
  const parser = createParser({
    onId: (id) => void read.push({ data: undefined, position: positionOf(id) }),
    onEvent: ({ id, event, data }) => {
      // The parser reports the `id` of an event just before the event.
      const position = id === undefined ? undefined : read.pop()?.position;
      read.push({ event, data, position });
    },
  });
  try {
    const response = await fetch(transport.url("/api/events", asked.query), {
      method: "GET",
      headers,
      signal: silence.signal,
    });
    if (!response.ok || !response.body) throw errorOf(response, await response.text());
    asked.onOpen();
    const decoder = new TextDecoder();
    for await (const bytes of bytesOf(response.body)) {
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

/** A browser and a proxy may send any `id`; only a sequence is one of the service. */
function positionOf(id: string): number | undefined {
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined;
}
