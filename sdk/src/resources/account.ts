/** The account: sign-up, log-in, the account itself and its log-ins. */
import type {
  Account,
  AccountChange,
  CodeLogIn,
  Grant,
  Login,
  LoginEntry,
  MadeAccount,
  NewAccount,
  NewLogin,
  NewPassword,
  PasswordResetResult,
  PresentedToken,
  SessionToken,
  StartedCodeLogIn,
} from "@porchlight/shared/api";
import { Collection, type PageOptions } from "../collection.ts";
import { type CallOptions, path, type Request, type Transport } from "../transport.ts";
import { AccountExports } from "./account-export.ts";

/** Filter for the grants of an account. */
export interface GrantFilter {
  /** Only grants created or changed at this time or later, such as `2026-11-05 14:03:07Z`. */
  readonly since?: string | undefined;
  readonly order?: "oldest" | "newest" | undefined;
}

/** Calls that need no token. Without a token, a lost answer is not requested again, because the service could not recognise the retry. */
export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates an account with its first ecosystem, environment and user. @throws PorchlightError */
  create(body: NewAccount, options?: CallOptions): Promise<MadeAccount> {
    return this.#post("/api/accounts", body, options);
  }

  /** @throws PorchlightError, "Login Failed" for every cause */
  logIn(body: NewLogin, options?: CallOptions): Promise<Login> {
    return this.#post("/api/accounts/login", body, options);
  }

  /** Starts a log-in by code: show the code; a user approves it on the page that the answer names. @throws PorchlightError */
  beginCodeLogIn(options?: CallOptions): Promise<StartedCodeLogIn> {
    return this.#post("/api/accounts/login/code", undefined, options);
  }

  /** Returns the log-in once it is approved, and only once. @throws PorchlightError, "Login Pending" until then */
  pollCodeLogIn(deviceCode: string, options?: CallOptions): Promise<Login> {
    return this.#post("/api/accounts/login/code/poll", { deviceCode }, options);
  }

  /**
   * Use a client with a token of the account if you have one: without it, verification ends everything that was created before it.
   * @param code from the e-mail @throws PorchlightError
   */
  async verify(code: string, options?: CallOptions): Promise<void> {
    await this.#post("/api/accounts/verify", { code }, options);
  }

  /** Sends a code by e-mail, if such an account exists. @throws PorchlightError */
  async requestPasswordReset(email: string, options?: CallOptions): Promise<void> {
    await this.#post("/api/accounts/password-reset", { email }, options);
  }

  /**
   * Sets a new password and ends all log-ins; returns the grants that ended too, and those that still give access. @throws
   * PorchlightError
   */
  confirmPasswordReset(body: NewPassword, options?: CallOptions): Promise<PasswordResetResult> {
    return this.#post("/api/accounts/password-reset/confirm", body, options);
  }

  /** A token for the log-in in the browser's cookie: for the service's own pages. @throws PorchlightError */
  sessionToken(options?: CallOptions): Promise<SessionToken> {
    return this.#post("/api/session/token", undefined, options);
  }

  async #post<T>(at: string, body: unknown, options?: CallOptions): Promise<T> {
    return (await this.#transport.send<T>({ method: "POST", path: at, body, repeat: "once" }, options)).body;
  }
}

/** The account of this client's token. */
export class OwnAccount {
  /** The export of all data that the service keeps of the account, as one archive. */
  readonly export: AccountExports;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.export = new AccountExports(transport);
  }

  /** @throws PorchlightError */
  get(options?: CallOptions): Promise<Account> {
    return this.#send({ method: "GET", path: "/api/account", repeat: "read" }, options);
  }

  /** @throws PorchlightError, "Password Incorrect" */
  update(body: AccountChange, options?: CallOptions): Promise<void> {
    return this.#send({ method: "PUT", path: "/api/account", body, repeat: "once" }, options);
  }

  /** Deletes the account and everything that it owns. @throws PorchlightError, "Password Incorrect" */
  delete(currentPassword: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: "DELETE", path: "/api/account", body: { currentPassword }, repeat: "once" }, options);
  }

  /** The account's log-ins. */
  logIns(options?: PageOptions): Collection<LoginEntry> {
    return new Collection<LoginEntry>(this.#transport, "/api/account/tokens", {}, options);
  }

  /** @throws PorchlightError */
  endLogIn(tokenId: string, options?: CallOptions): Promise<void> {
    return this.#send({ method: "DELETE", path: path`/api/account/tokens/${tokenId}`, repeat: "replace" }, options);
  }

  /** Tokens, webhooks and sinks that give access to the account besides its log-ins. */
  grants(filter: GrantFilter = {}, options?: PageOptions): Collection<Grant> {
    return new Collection<Grant>(this.#transport, "/api/account/grants", { ...filter }, options);
  }

  /** Revokes the token, or deletes the webhook or sink. @throws PorchlightError */
  endGrant(grant: Pick<Grant, "path">, options?: CallOptions): Promise<void> {
    return this.#send({ method: "DELETE", path: grant.path, repeat: "replace" }, options);
  }

  /** The program that waits with this code. @throws PorchlightError */
  codeLogIn(userCode: string, options?: CallOptions): Promise<CodeLogIn> {
    return this.#send({ method: "GET", path: path`/api/accounts/login/code/${userCode}`, repeat: "read" }, options);
  }

  /** Approves the program's log-in to the account. @throws PorchlightError */
  approveCodeLogIn(userCode: string, options?: CallOptions): Promise<void> {
    const at = path`/api/accounts/login/code/${userCode}/approve`;
    return this.#send({ method: "POST", path: at, repeat: "keyed" }, options);
  }

  /** Rejects the program's log-in. @throws PorchlightError */
  denyCodeLogIn(userCode: string, options?: CallOptions): Promise<void> {
    const at = path`/api/accounts/login/code/${userCode}/deny`;
    return this.#send({ method: "POST", path: at, repeat: "keyed" }, options);
  }

  /** Ends the log-in of this client's token. @throws PorchlightError */
  logOut(options?: CallOptions): Promise<void> {
    return this.#send({ method: "POST", path: "/api/accounts/logout", repeat: "once" }, options);
  }

  /** This client's token, of any kind. @throws PorchlightError */
  token(options?: CallOptions): Promise<PresentedToken> {
    return this.#send({ method: "GET", path: "/api/token", repeat: "read" }, options);
  }

  async #send<T>(request: Request, options?: CallOptions): Promise<T> {
    return (await this.#transport.send<T>(request, options)).body;
  }
}
