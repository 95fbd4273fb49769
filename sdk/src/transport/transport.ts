/** One request to the service, repeated as far as that is safe, each try within its own time. */
import { Backoff, type Clock, deadline, type Random, sleep } from "@porchlight/shared/kernel";
import { errorOf, PorchlightError } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a call may be given besides its own parameters. */
export interface CallOptions {
  /** Ends the call, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Takes the place of the key that is made: repeats of one intent over several calls have the same. */
  readonly idempotencyKey?: string | undefined;
  /** How often the request is repeated at the most, where that is safe; as the client has it when left out. */
  readonly retries?: number | undefined;
}

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** From `/api` on, encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly repeat: Repeat;
  /** The answer is text of another kind than JSON, and is given as it is. */
  readonly isText?: true | undefined;
}

export interface Answer<T> {
  readonly body: T;
  readonly headers: Headers;
}

export interface TransportSettings {
  /** The service's address, without `/api`. */
  readonly baseUrl: string;
  readonly token: string | undefined;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  /** How often a request is repeated at the most. */
  readonly retries: number;
  readonly clock: Clock;
  readonly random: Random;
}

/** Waits between tries, unless the service asks for longer. */
export const BACKOFF = { firstMs: 250, capMs: 8000, stableMs: Number.POSITIVE_INFINITY };
/** Who is asked to wait longer than this, seconds, is told so instead. */
const LONGEST_WAIT = 30;

export class Transport {
  readonly settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.settings = settings;
  }

  /** @throws PorchlightError; the signal's reason when the caller ends it */
  async send<T>(request: Request, options: CallOptions = {}): Promise<Answer<T>> {
    const { clock, random } = this.settings;
    const retries = options.retries ?? this.settings.retries;
    const backoff = new Backoff(BACKOFF, random);
    const key = request.repeat === "keyed" ? (options.idempotencyKey ?? hex(random.bytes(16))) : undefined;
    for (let tries = 1; ; tries++) {
      const failure = await this.#try<T>(request, key, options);
      if (!(failure instanceof PorchlightError)) return failure;
      // The answer to the first DELETE was lost, and the second finds nothing left to do.
      if (tries > 1 && request.method === "DELETE" && failure.status === 404) return nothing();
      const wait = failure.retryAfter ?? 0;
      if (tries > retries || wait > LONGEST_WAIT || !mayRepeat(request.repeat, failure)) throw failure;
      await sleep(clock, "retry", backoff.next(0, wait * 1000), options.signal);
    }
  }

  /** Address of a path, for callers with their own fetch. */
  url(path: string, query: Request["query"] = {}): string {
    const asked = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
    const search = asked.toString();
    return `${this.settings.baseUrl}${path}${search === "" ? "" : `?${search}`}`;
  }

  /** What every request carries. */
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

/** Builds a path, and encodes every reference that is put into it. */
export function path(parts: TemplateStringsArray, ...references: readonly string[]): string {
  return String.raw({ raw: parts }, ...references.map(encodeURIComponent));
}

function read<T>({ isText }: Request, response: Response, text: string): Answer<T> | PorchlightError {
  const { status, headers } = response;
  // Only calls whose answer is text ask for it.
  if (isText) return { body: text as T, headers };
  try {
    // The service describes its answers in the very schemas that these types come from.
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

// Whether a failed request may be repeated: never when what it asks for could happen twice. A pure decision, with a table as its test.

/**
 * What a repeat of a request can do.
 * - `read`: nothing; it changes nothing.
 * - `replace`: nothing more; it leaves the same behind however often it comes.
 * - `keyed`: nothing more; the service knows it by its idempotency key.
 * - `once`: it may happen twice.
 */
export type Repeat = "read" | "replace" | "keyed" | "once";

export function mayRepeat(repeat: Repeat, error: PorchlightError): boolean {
  switch (error.name) {
    // The service has done nothing of it.
    case "Rate Limit Exceeded":
    case "Idempotency Key In Use":
      return true;
    // It may have arrived.
    case "Connection Failed":
    case "Timed Out":
      return repeat !== "once";
    // A server in between has answered, and it is not known what it passed on.
    case "Unreadable Answer":
      return repeat !== "once" && [502, 503, 504].includes(error.status);
  }
  switch (error.outcome) {
    case "not_sent":
    case "not_applied":
      return error.problem?.retryable === true;
    case undefined:
      // An error of 5xx frees an idempotency key, so the key does not protect the repeat.
      return error.problem?.retryable === true && (repeat === "read" || repeat === "replace");
    // It is done, refused, still under way, or an outcome of a newer service: a repeat would tell nothing new, or do it again.
    default:
      return false;
  }
}
