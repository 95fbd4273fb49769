/** Exchanges the cookie of a log-in for a short-lived token that a page holds in memory (A2). */
import { formatTime, type SessionToken } from "@porchlight/shared/api";
import { type Clock, type Id, NamedError } from "@porchlight/shared/kernel";
import { hashToken, type SessionTokens, tokenKind } from "../access/index.ts";
import type { Store } from "../store/index.ts";
import { findLogin } from "./service-queries.ts";

export interface SessionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionTokens: SessionTokens;
}

export interface Opened {
  readonly token: SessionToken;
  /** Whether the log-in has no end, so that its cookie must outlive the browser session. */
  readonly isKept: boolean;
}

export class Sessions {
  readonly #deps: SessionsDeps;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
  }

  /**
   * @param credential value of the cookie @param mayAsk whether the requesting page belongs to the service
   * @throws "Token Missing", "Token Invalid", "Token Expired", "Access Denied"
   */
  async open(credential: string | undefined, mayAsk: boolean): Promise<Opened> {
    const { store, clock, sessionTokens } = this.#deps;
    if (credential === undefined) throw new NamedError("Token Missing", "The request has no session cookie.");
    const login = tokenKind(credential) === "acc" ? await findLogin(store, hashToken(credential)) : undefined;
    if (!login) throw new NamedError("Token Invalid", "The session cookie belongs to no active session.");
    if (login.expires_at !== null && login.expires_at <= clock.now()) throw new NamedError("Token Expired");
    if (!mayAsk)
      throw new NamedError("Access Denied", "The session cookie is accepted from pages of this service only.");
    const accountId = login.subject_id as Id<"acc">;
    const { token, expiresAt } = await store.writeService((tx) => sessionTokens.issue(tx, login.id, login.expires_at));
    return { token: { token, expiresAt: formatTime(expiresAt), accountId }, isKept: login.expires_at === null };
  }
}
