/** `fetch` as the SDK is given it here: with the session's token of the moment, and an eye on what the service says of its limits. */
import type { Fetch } from "@porchlight/sdk";
import type { Session } from "./session.ts";

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
