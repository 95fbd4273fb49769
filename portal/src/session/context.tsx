/** The session and the API for every page below: one of each in a tab. */
import { Porchlight } from "@porchlight/sdk";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import { type RateLimitSeen, Session, type SessionState, sessionFetch } from "./session.ts";

export interface Access {
  readonly session: Session;
  /** With the session's token. */
  readonly api: Porchlight;
  /** The same, and nothing is repeated: for what a person has just done and waits for. */
  readonly direct: Porchlight;
  /** Without any token: sign-up, log-in, lost passwords. */
  readonly open: Porchlight;
  readonly limits: LimitsSeen;
}

/** The last that was heard of the rate limit. */
class LimitsSeen {
  #last: RateLimitSeen | undefined;
  readonly #listeners = new Set<() => void>();

  readonly last = (): RateLimitSeen | undefined => this.#last;

  readonly see = (limit: RateLimitSeen): void => {
    this.#last = limit;
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

/** @param baseUrl the service's address, without `/api` */
export function accessTo(baseUrl: string): Access {
  // What it is asked is a person's doing: how long to wait is said, and not waited for in silence.
  const open = new Porchlight({ baseUrl, retries: 0 });
  const session = new Session(open.accounts);
  const limits = new LimitsSeen();
  const fetch = sessionFetch(session, limits.see);
  const api = new Porchlight({ baseUrl, fetch });
  const direct = new Porchlight({ baseUrl, fetch, retries: 0 });
  return { session, limits, open, api, direct };
}

const AccessContext = createContext<Access | undefined>(undefined);

export function AccessProvider({ access, children }: { readonly access: Access; readonly children: ReactNode }) {
  return <AccessContext value={access}>{children}</AccessContext>;
}

export function useAccess(): Access {
  const access = use(AccessContext);
  if (!access) throw new Error("There is no AccessProvider above this component.");
  return access;
}

/** The API as the account that is logged in. */
export const useApi = (): Porchlight => useAccess().api;

export function useSession(): SessionState {
  const { session } = useAccess();
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** What is left of the rate limit; undefined while limits are off or nothing was asked. */
export function useRateLimit(): RateLimitSeen | undefined {
  const { limits } = useAccess();
  return useSyncExternalStore(limits.subscribe, limits.last);
}
