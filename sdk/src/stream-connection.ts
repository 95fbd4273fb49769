/** One connection of an event stream: parses its messages until it ends or stays silent for too long. */
import { createParser } from "eventsource-parser";
import { bytesOf, Silence } from "./bytes.ts";
import { errorOf, PorchlightError } from "./errors.ts";
import type { Transport } from "./transport.ts";

/** Silence after which the connection counts as dead, ms: three times the 15 s of an older service; a current one sends data every 5 s. */
const LONGEST_SILENCE = 45_000;

/** A message of a stream. */
export interface StreamMessage {
  readonly event?: string | undefined;
  /** Undefined for a message that has only a position. */
  readonly data: string | undefined;
  /** Sequence after which the stream continues; undefined when the message does not change it. */
  readonly position: number | undefined;
}

export interface StreamAsked {
  readonly query: Readonly<Record<string, string | boolean | undefined>>;
  /** Events after this sequence; only new ones when undefined. */
  readonly after: number | undefined;
  /** Called when the answer begins. */
  readonly onOpen: () => void;
  /** Called when data arrives. */
  readonly onHeard: (() => void) | undefined;
  /** Silence after which the connection counts as dead, ms. */
  readonly silenceMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Messages until the connection ends.
 * @throws PorchlightError, "Connection Failed" or "Timed Out" when it breaks; the signal's reason when the caller aborts it
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
      // The parser reports an event's `id` just before the event.
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

/** The position in an `id`: the parser accepts any `id`, but the service sends only sequences. */
function positionOf(id: string): number | undefined {
  return /^\d{1,16}$/.test(id) ? Number(id) : undefined;
}
