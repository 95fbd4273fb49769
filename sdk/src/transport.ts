/** Sends one request to the service and repeats it as long as that is safe; each try has its own time limit. */
import { Backoff, type Clock, deadline, LinkedAbort, type Random, sleep } from "@porchlight/shared/kernel";
import { errorOf, PorchlightError } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options of every call besides its own parameters. */
export interface CallOptions {
  /** Aborts the call, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one try, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the generated key: give several calls with one intent the same key. */
  readonly idempotencyKey?: string | undefined;
  /** Maximum number of retries, where a retry is safe; the client's setting when omitted. */
  readonly retries?: number | undefined;
}

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path from `/api` on, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly repeat: Repeat;
  /** The answer is text other than JSON, and is returned unchanged. */
  readonly isText?: true | undefined;
}

interface Answer<T> {
  readonly body: T;
  readonly headers: Headers;
}

interface TransportSettings {
  /** The service's address, without `/api`. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  /** Maximum number of retries of a request. */
  readonly retries: number;
  readonly clock: Clock;
  readonly random: Random;
}

/** Waits between tries, unless the service asks for longer ones. */
export const BACKOFF = { firstMs: 250, capMs: 8000, stableMs: Number.POSITIVE_INFINITY };
/** Longest wait between tries, seconds: when the service asks for a longer one, the call fails instead. */
const LONGEST_WAIT = 30;

export class Transport {
  readonly settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.settings = settings;
  }

  /** @throws PorchlightError; the signal's reason when the caller aborts the call */
  async send<T>(request: Request, options: CallOptions = {}): Promise<Answer<T>> {
    const { clock, random } = this.settings;
    const retries = options.retries ?? this.settings.retries;
    const backoff = new Backoff(BACKOFF, random);
    const key = request.repeat === "keyed" ? (options.idempotencyKey ?? hex(random.bytes(16))) : undefined;
    for (let tries = 1; ; tries++) {
      const failure = await this.#try<T>(request, key, options);
      if (!(failure instanceof PorchlightError)) return failure;
      // The answer to the first DELETE was lost, and the second found nothing to delete.
      if (tries > 1 && request.method === "DELETE" && failure.status === 404) return nothing();
      const wait = failure.retryAfter ?? 0;
      if (tries > retries || wait > LONGEST_WAIT || !mayRepeat(request.repeat, failure)) throw failure;
      await sleep(clock, "retry", backoff.next(0, wait * 1000), options.signal);
    }
  }

  /** The body of the answer. @throws as {@link send} */
  async get<T>(at: string, options?: CallOptions, query?: Request["query"]): Promise<T> {
    return (await this.send<T>({ method: "GET", path: at, query, repeat: "read" }, options)).body;
  }

  /** The body of the answer to a request with an idempotency key. @throws as {@link send} */
  async post<T>(at: string, body: unknown, options?: CallOptions): Promise<T> {
    return (await this.send<T>({ method: "POST", path: at, body, repeat: "keyed" }, options)).body;
  }

  /** The body of the answer. @throws as {@link send} */
  async put<T>(at: string, body: unknown, options?: CallOptions): Promise<T> {
    return (await this.send<T>({ method: "PUT", path: at, body, repeat: "replace" }, options)).body;
  }

  /** The body of the answer. @throws as {@link send} */
  async delete<T>(at: string, options?: CallOptions): Promise<T> {
    return (await this.send<T>({ method: "DELETE", path: at, repeat: "replace" }, options)).body;
  }

  /** URL of a path, for callers that use their own fetch. */
  url(path: string, query: Request["query"] = {}): string {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
    const search = asked.toString();
    return `${this.settings.baseUrl}${path}${search === "" ? "" : `?${search}`}`;
  }

  /** Headers of every request. */
  get headers(): Record<string, string> {
    const { token } = this.settings;
    return { "x-api-version": "v0", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  }

  async #try<T>(request: Request, key: string | undefined, options: CallOptions): Promise<Answer<T> | PorchlightError> {
    const { fetch, clock, timeoutMs } = this.settings;
    const { signal } = options;
    signal?.throwIfAborted();
    const limit = deadline(clock, "request", options.timeoutMs ?? timeoutMs, { signal });
    try {
      const response = await fetch(this.url(request.path, request.query), this.#init(request, key, limit.signal));
      const text = await response.text();
      return response.ok ? read<T>(request, response, text) : errorOf(response, text);
    } catch (cause) {
      signal?.throwIfAborted();
      return unheard(request, limit.isOver, cause);
    } finally {
      limit.end();
    }
  }

  #init({ method, body, headers }: Request, key: string | undefined, signal: AbortSignal): RequestInit {
    const all = {
      ...this.headers,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== undefined && { "idempotency-key": key }),
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { method, headers: given, signal, ...(body !== undefined && { body: JSON.stringify(body) }) };
  }
}

/** Builds a path and encodes every reference in it. */
export function path(parts: TemplateStringsArray, ...references: readonly string[]): string {
  return String.raw({ raw: parts }, ...references.map(encodeURIComponent));
}

function read<T>({ isText }: Request, response: Response, text: string): Answer<T> | PorchlightError {
  const { status, headers } = response;
  // Only calls that return text set `isText`.
  if (isText) return { body: text as T, headers };
  try {
    // The cast is safe: these types come from the schemas by which the service writes its answers.
    return { body: (text === "" ? undefined : JSON.parse(text)) as T, headers };
  } catch (cause) {
    return new PorchlightError("Unreadable Answer", "The answer is not JSON.", { status, cause });
  }
}

function unheard({ repeat }: Request, tooLong: boolean, cause: unknown): PorchlightError {
  const outcome = repeat === "read" ? undefined : "unknown";
  return tooLong
    ? new PorchlightError("Timed Out", "The service did not answer in time.", { outcome, cause })
    : new PorchlightError("Connection Failed", "The service could not be reached, or the connection broke.", {
        outcome,
        cause,
      });
}

function nothing<T>(): Answer<T> {
  return { body: undefined as T, headers: new Headers() };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Effect of a second execution of a request. Only `once` makes a retry unsafe.
 * - `read`: none; the request changes nothing.
 * - `replace`: none; the result is the same however often it arrives.
 * - `keyed`: none; the service recognises it by its idempotency key.
 * - `once`: the action can happen twice.
 */
export type Repeat = "read" | "replace" | "keyed" | "once";

export function mayRepeat(repeat: Repeat, error: PorchlightError): boolean {
  switch (error.name) {
    // The service did not execute the request.
    case "Rate Limit Exceeded":
    case "Idempotency Key In Use":
      return true;
    // The request may have arrived.
    case "Connection Failed":
    case "Timed Out":
      return repeat !== "once";
    // A proxy answered, and may or may not have passed the request on.
    case "Unreadable Answer":
      return repeat !== "once" && [502, 503, 504].includes(error.status);
  }
  switch (error.outcome) {
    case "not_sent":
    case "not_applied":
      return error.problem?.retryable === true;
    case undefined:
      // A 5xx error releases an idempotency key, so the key does not protect a retry.
      return error.problem?.retryable === true && (repeat === "read" || repeat === "replace");
    // Confirmed, rejected, still running, or an outcome of a newer service: a retry would return nothing new, or repeat the action.
    default:
      return false;
  }
}

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
