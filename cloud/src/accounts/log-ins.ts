/** Log-ins of an account: created with address and password, listed, exchanged for session tokens, ended. */
import { formatTime, type Login, type LoginEntry, type NewLogin, type SessionToken } from "@porchlight/shared/api";
import { type Clock, type Id, isId, type Log, NamedError } from "@porchlight/shared/kernel";
import { SERVICE_TIMES } from "@porchlight/shared/presentation";
import {
  type AccountCaller,
  audit,
  hashToken,
  lockAccount,
  type NewToken,
  referenceInvalid,
  type SessionTokens,
  type Tokens,
  tokenKind,
} from "../access/index.ts";
import type { Store } from "../store/index.ts";
import type { LogInLimiter, TriedBy } from "./log-in-limiter.ts";
import type { Passwords } from "./passwords.ts";
import { findAccountByEmail, findLogin, hasHadLogin, type LoginRow, loginsOf } from "./service-queries.ts";

interface LogInsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly logInLimiter: LogInLimiter;
  readonly tokens: Tokens;
  readonly sessionTokens: SessionTokens;
  readonly log: Log;
}

/** A new log-in with its token, which goes into the answer or into a cookie. */
type MadeLogin = Login & { readonly token: string };

export class LogIns {
  readonly #deps: LogInsDeps;

  constructor(deps: LogInsDeps) {
    this.#deps = deps;
  }

  /**
   * Logs in with address and password.
   * @param by the party whose limit of wrong passwords applies
   * @throws "Rate Limit Exceeded"; "Login Failed", alike for a wrong address and a wrong password, after the same work
   */
  async logIn(given: NewLogin, from: Pick<NewToken, "address" | "userAgent">, by: TriedBy): Promise<MadeLogin> {
    const { store, clock, passwords, logInLimiter, tokens } = this.#deps;
    if (given.console && given.session)
      throw new NamedError("Body Parameters Invalid", "A session is either the console's or a browser's, not both.");
    await logInLimiter.countPassword(given.email, by);
    const account = await findAccountByEmail(store, given.email);
    const matches = await passwords.verify(account?.password_hash, given.password);
    if (account && !matches) this.#recordRefusal(account.id, from.address);
    if (!account || !matches) throw new NamedError("Login Failed");
    const kind = given.console ? "auth" : "acc";
    const lasts = given.console || given.keepMeLoggedIn;
    const made = await store.writeService(async (tx) => {
      // The password can have changed, or the account been erased, during the hashing.
      const held = await lockAccount(tx, account.id);
      if (held?.password_hash !== account.password_hash) throw new NamedError("Login Failed");
      const issued = await tokens.issue(tx, {
        kind,
        owner: { accountId: account.id },
        subjectId: account.id,
        expiresAt: lasts ? undefined : clock.now() + SERVICE_TIMES.shortLogIn,
        isCookie: given.session,
        ...from,
      });
      const actor = { kind: "account", accountId: account.id, tokenId: issued.id, address: from.address } as const;
      await audit(tx, actor, "login.created", issued.id);
      return issued;
    });
    return {
      id: made.id,
      type: loginType(kind),
      token: made.token,
      ...(made.expiresAt !== undefined && { expiresAt: formatTime(made.expiresAt) }),
      accountId: account.id,
    };
  }

  list(caller: AccountCaller, after: string, limit: number): Promise<LoginRow[]> {
    const { store, tokens } = this.#deps;
    return loginsOf(store, tokens, caller.accountId, after, limit);
  }

  /** Ends a log-in, the caller's own or another; true when it used a cookie. @throws "Token Invalid" (400), "Token Not Found" */
  async end(caller: AccountCaller, tokenId: string): Promise<boolean> {
    const { store, tokens, sessionTokens } = this.#deps;
    const { accountId } = caller;
    if (!isId("tok", tokenId) || !(await hasHadLogin(store, accountId, tokenId))) throw referenceInvalid("tok");
    return store.writeService(async (tx) => {
      await tokens.revoke(tx, accountId, tokenId);
      await audit(tx, caller, "login.ended", tokenId);
      return sessionTokens.drop(tx, tokenId);
    });
  }

  /** Runs without delaying the answer, whose time would otherwise reveal that the account exists. */
  #recordRefusal(accountId: string, address: string | undefined): void {
    const { store, log } = this.#deps;
    store
      .writeService((tx) => audit(tx, { kind: "unknown", accountId, address }, "login.refused", accountId))
      .catch((error) => log.warn({ error }, "a refused log-in could not be added to the audit"));
  }
}

export function loginEntry(row: LoginRow): LoginEntry {
  return {
    id: row.id,
    type: loginType(row.kind),
    ...(row.by_cookie === 1 && { session: true }),
    createdAt: formatTime(row.created_at),
    ...(row.expires_at !== null && { expiresAt: formatTime(row.expires_at) }),
    ...(row.last_used_at !== null && { lastUsedAt: formatTime(row.last_used_at) }),
    ...(row.address !== null && { address: row.address }),
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
  };
}

function loginType(kind: string): LoginEntry["type"] {
  return kind === "auth" ? "authentication" : "account";
}

interface SessionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionTokens: SessionTokens;
}

interface Opened {
  readonly token: SessionToken;
  /** Whether the log-in has no end, so that its cookie must outlive the browser session. */
  readonly isKept: boolean;
}

/** Exchanges the cookie of a log-in for a short-lived token that a page holds in memory (A2). */
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
