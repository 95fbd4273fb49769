/** Events as they happen, over any number of connections: each resumes where the previous one broke. */
import { Backoff, type Clock, type Random, sleep } from "@porchlight/shared/kernel";
import { createParser } from "eventsource-parser";
import { errorOf, PorchlightError } from "./errors.ts";
import type { PorchlightEvent, StreamItem, StreamOptions } from "./event.ts";
import { bytesOf, Silence, type Transport } from "./transport.ts";

/** Waits before the next connection, ms; a connection that has lasted `stableMs` resets them. */
const BACKOFF = { firstMs: 500, capMs: 30_000, stableMs: 10_000 };

interface Place {
  /** Sequence after which the next connection starts; undefined when the service has not sent one yet. */
  after: number | undefined;
  /** Whether the next connection starts with a snapshot. */
  snapshot: boolean;
}

/**
 * Ends only when the caller leaves the loop or aborts the signal.
 * @throws PorchlightError when the service rejects the request (401, 403, 400, 404); the signal's reason
 */
export async function* eventStream(
  transport: Transport,
  options: StreamOptions,
): AsyncGenerator<StreamItem, void, undefined> {
  const { clock, random } = transport.settings;
  const place: Place = { after: options.after, snapshot: options.snapshot === true };
  const waits = new Waits(clock, random);
  for (;;) {
    waits.begin();
    try {
      yield* connection(transport, options, place);
      await waits.next(options, undefined);
    } catch (error) {
      if (!(error instanceof PorchlightError) || !isPassing(error)) throw error;
      await waits.next(options, error);
    }
  }
}

async function* connection(
  transport: Transport,
  options: StreamOptions,
  place: Place,
): AsyncGenerator<StreamItem, void, undefined> {
  const { ecosystemId, environmentId, types, onHeard, silenceMs, signal } = options;
  const query = { ecosystemId, environmentId, types: types?.join(","), snapshot: place.snapshot || undefined };
  const onOpen = () => options.onConnection?.({ state: "connected" });
  const asked = { query, after: place.after, onOpen, onHeard, silenceMs, signal };
  for await (const message of messages(transport, asked)) {
    const item = itemOf(message);
    if (item === undefined) {
      place.after = message.position ?? place.after;
      continue;
    }
    switch (item.kind) {
      case "event":
        // Skip a duplicate: the connection broke after the event was sent.
        if (place.after !== undefined && item.event.sequence <= place.after) continue;
        place.after = item.event.sequence;
        break;
      case "snapshot":
        // Lower than the snapshot's sequence when events before it are still to come.
        place.after = message.position ?? item.sequence;
        place.snapshot = false;
        break;
      case "reset":
        place.after = message.position;
        place.snapshot = options.snapshot === true;
        break;
    }
    yield item;
    if (item.kind === "reset" && place.snapshot) return;
  }
}

/**
 * Undefined for a message that has only a position. @throws PorchlightError "Unreadable Answer"; the stream then resumes after the last
 * event
 */
function itemOf({ event, data }: StreamMessage): StreamItem | undefined {
  if (data === undefined) return undefined;
  if (event === "reset") return { kind: "reset" };
  try {
    const parsed: unknown = JSON.parse(data);
    // The casts are safe: these types come from the schemas by which the service writes its events.
    if (event === "snapshot")
      return { ...(parsed as Omit<Extract<StreamItem, { kind: "snapshot" }>, "kind">), kind: "snapshot" };
    return { kind: "event", event: parsed as PorchlightEvent };
  } catch (cause) {
    throw new PorchlightError("Unreadable Answer", "An event is not JSON.", { status: 502, cause });
  }
}

/** Whether another connection may succeed. */
function isPassing({ status }: PorchlightError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** Waits between connections, longer each time unless the last connection was stable. */
class Waits {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  #began = 0;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#backoff = new Backoff(BACKOFF, random);
  }

  begin(): void {
    this.#began = this.#clock.monotonic();
  }

  /** @param cause why the last connection ended; it may ask for a longer wait @throws the signal's reason */
  next({ onConnection, signal }: StreamOptions, cause: PorchlightError | undefined): Promise<void> {
    const lasted = this.#clock.monotonic() - this.#began;
    const nextTryMs = this.#backoff.next(lasted, (cause?.retryAfter ?? 0) * 1000);
    onConnection?.({ state: "lost", nextTryMs, cause });
    return sleep(this.#clock, "next connection of the stream", nextTryMs, signal);
  }
}

/** Silence after which the connection counts as dead, ms: three times the 15 s of an older service; a current one sends data every 5 s. */
const LONGEST_SILENCE = 45_000;

/** A message of a stream. */
interface StreamMessage {
  readonly event?: string | undefined;
  /** Undefined for a message that has only a position. */
  readonly data: string | undefined;
  /** Sequence after which the stream continues; undefined when the message does not change it. */
  readonly position: number | undefined;
}

interface StreamAsked {
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
async function* messages(transport: Transport, asked: StreamAsked): AsyncGenerator<StreamMessage, void, undefined> {
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
