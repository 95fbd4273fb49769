/** The browser's log-in as the pages see it: its state, and the API token, which exists only in this tab's memory. */
import { type Fetch, isPorchlightError, type Porchlight } from "@porchlight/sdk";
import type { SessionToken } from "@porchlight/shared/api";

export type SessionState =
  /** Not requested yet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "in"; readonly accountId: string }
  /** `ended`: this tab had a log-in, and it has expired or was revoked. */
  | { readonly kind: "out"; readonly ended: boolean };

/** A token is renewed this long before it expires, in ms. */
const EARLY = 60_000;
const CHANNEL = "porchlight-session";

/** The API methods that a session needs. */
type SessionApi = Pick<Porchlight["accounts"], "sessionToken">;

interface Held {
  readonly token: string;
  readonly until: number;
}

export class Session {
  readonly #api: SessionApi;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  /** Notifies the other tabs, which share the cookie. */
  readonly #channel = new BroadcastChannel(CHANNEL);
  #state: SessionState = { kind: "unknown" };
  #held: Held | undefined;
  #asked: Promise<string | undefined> | undefined;

  constructor(api: SessionApi, now: () => number = Date.now) {
    this.#api = api;
    this.#now = now;
    this.#channel.onmessage = ({ data }) => {
      if (data === "out") this.#leave(this.#state.kind === "in");
      else if (this.#state.kind !== "in") void this.token();
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** For React's `useSyncExternalStore`. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Returns the API token; fetches one with the cookie when there is none or it is about to expire.
   * @returns undefined when there is no log-in
   * @throws PorchlightError when the service is unreachable or busy
   */
  token(): Promise<string | undefined> {
    if (this.#held && this.#held.until - EARLY > this.#now()) return Promise.resolve(this.#held.token);
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  /** Discards a token that the service has rejected: the next call fetches another one, or finds that the log-in has ended. */
  refused(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  /** A form has just logged in, so the cookie exists. */
  async entered(): Promise<void> {
    this.#held = undefined;
    await this.token();
    this.#channel.postMessage("in");
  }

  /** This browser has logged out. */
  left(): void {
    this.#leave(false);
    this.#channel.postMessage("out");
  }

  async #ask(): Promise<string | undefined> {
    try {
      return this.#hold(await this.#api.sessionToken());
    } catch (error) {
      if (!isPorchlightError(error) || error.status !== 401) throw error;
      this.#leave(this.#state.kind === "in");
      return undefined;
    }
  }

  #hold({ token, expiresAt, accountId }: SessionToken): string {
    this.#held = { token, until: Date.parse(expiresAt.replace(" ", "T")) };
    if (this.#state.kind !== "in" || this.#state.accountId !== accountId) this.#tell({ kind: "in", accountId });
    return token;
  }

  #leave(ended: boolean): void {
    this.#held = undefined;
    if (this.#state.kind !== "out") this.#tell({ kind: "out", ended });
  }

  #tell(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The caller's remaining rate limit, from the latest response. */
export interface RateLimitSeen {
  /** Number of requests that can be sent at once. */
  readonly remaining: number;
  /** Seconds until the limit is fully restored. */
  readonly resetS: number;
  /** The value of `RateLimit-Policy`. */
  readonly policy: string;
}

/**
 * The SDK's `fetch` within the portal: adds the session's current token and observes the rate limit headers.
 * @param seen called with the limits of each response
 */
export function sessionFetch(session: Session, seen: (limit: RateLimitSeen) => void, send: Fetch = fetchHere): Fetch {
  return async (url, init) => {
    const token = await session.token();
    const first = await send(url, withToken(init, token));
    tell(first, seen);
    if (first.status !== 401 || token === undefined) return first;
    session.refused(token);
    const next = await session.token();
    return next === undefined ? first : send(url, withToken(init, next));
  };
}

function fetchHere(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, { ...init, credentials: "omit" });
}

function withToken(init: RequestInit, token: string | undefined): RequestInit {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  return { ...init, headers };
}

function tell(response: Response, seen: (limit: RateLimitSeen) => void): void {
  const [, remaining, resetS] = /;r=(\d+)(?:;t=(\d+))?/.exec(response.headers.get("ratelimit") ?? "") ?? [];
  if (remaining === undefined) return;
  const policy = response.headers.get("ratelimit-policy") ?? "";
  seen({ remaining: Number(remaining), resetS: Number(resetS ?? 0), policy });
}
