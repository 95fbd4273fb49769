/** The log-in of this browser as the pages see it: whether there is one, and its API token, which lives in this tab's memory only. */
import { type Fetch, isPorchlightError, type Porchlight } from "@porchlight/sdk";
import type { SessionToken } from "@porchlight/shared/api";

export type SessionState =
  /** Not asked yet. */
  | { readonly kind: "unknown" }
  | { readonly kind: "in"; readonly accountId: string }
  /** `ended`: there was one in this tab, and it has run out or was revoked. */
  | { readonly kind: "out"; readonly ended: boolean };

/** A token is replaced this long before it expires, ms. */
const EARLY = 60_000;
const CHANNEL = "porchlight-session";

/** What of the service a session needs. */
export type SessionApi = Pick<Porchlight["accounts"], "sessionToken">;

interface Held {
  readonly token: string;
  readonly until: number;
}

export class Session {
  readonly #api: SessionApi;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  /** Tells the other tabs, which share the cookie. */
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
   * The API token, fetched by the cookie when none is held or the one held is about to expire.
   * @returns undefined when there is no log-in @throws PorchlightError when the service cannot be reached or is busy
   */
  token(): Promise<string | undefined> {
    if (this.#held && this.#held.until - EARLY > this.#now()) return Promise.resolve(this.#held.token);
    this.#asked ??= this.#ask().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  /** The service refused this token: the next call asks for another, or finds that the log-in has ended. */
  refused(token: string): void {
    if (this.#held?.token === token) this.#held = undefined;
  }

  /** A form has just logged in: the cookie is there. */
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

// `fetch` as the SDK is given it here: with the session's token of the moment, and an eye on what the service says of its limits.

/** What is left of the caller's rate limit, as the last answer told it. */
export interface RateLimitSeen {
  /** Requests that could be made at once. */
  readonly remaining: number;
  /** Seconds until all of them can be made again. */
  readonly resetS: number;
  /** As `RateLimit-Policy` says it. */
  readonly policy: string;
}

/** @param seen told of the limits in each answer */
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
