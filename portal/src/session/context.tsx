/** The React context of the session and the API clients: one instance of each per browser tab. */
import { Porchlight } from "@porchlight/sdk";
import { useMutation } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import { type RateLimitSeen, Session, type SessionState, sessionFetch } from "./session.ts";

export interface Access {
  readonly session: Session;
  /** Sends the session's token and retries failed requests. */
  readonly api: Porchlight;
  /** Sends the session's token without retries, for actions that a person has just started and waits for. */
  readonly direct: Porchlight;
  /** Sends no token: for sign-up, log-in and password reset. */
  readonly open: Porchlight;
  readonly limits: LimitsSeen;
}

/** The newest rate limit headers that the service sent. */
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

/** Creates the API clients and the session. @param baseUrl the service's address, without `/api` */
export function accessTo(baseUrl: string): Access {
  // No retries: these requests come from forms, and a form shows how long to wait instead of waiting silently.
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

/** The API client of the account that is logged in. */
export const useApi = (): Porchlight => useAccess().api;

export function useSession(): SessionState {
  const { session } = useAccess();
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** The remaining rate limit; undefined while limits are off or before the first request. */
export function useRateLimit(): RateLimitSeen | undefined {
  const { limits } = useAccess();
  return useSyncExternalStore(limits.subscribe, limits.last);
}

export function useLogOut() {
  const { api, session } = useAccess();
  return useMutation({
    mutationFn: () => api.account.logOut(),
    onSuccess: () => {
      session.left();
      // A full page load clears the account's data from the tab's memory.
      location.assign("/login");
    },
  });
}
