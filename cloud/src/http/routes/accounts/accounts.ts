/** `/api/accounts`: requests without a token — sign up, log in, verify an address, reset a forgotten password. */
import {
  login,
  madeAccount,
  newAccount,
  newLogin,
  newPassword,
  passwordReset,
  passwordResetResult,
  verification,
} from "@porchlight/shared/api";
import { isNamed } from "@porchlight/shared/kernel";
import type { Accounts, AddressVerification, KnownBrowsers, LogIns, PasswordResets } from "../../../accounts/index.ts";
import { networkKey } from "../../client-addresses.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { Authenticates } from "../../routing/mount.ts";
import { A, created, defineOpenRoute, defineRoute, done, LOG_INS_GO_ON, ok, type Route } from "../../routing/route.ts";
import type { HostCookie } from "./session.ts";

export interface AccountsRoutesDeps {
  readonly accounts: Accounts;
  readonly logIns: LogIns;
  readonly addresses: AddressVerification;
  readonly resets: PasswordResets;
  readonly cookie: HostCookie;
  readonly knownBrowsers: KnownBrowsers;
  readonly authenticator: Authenticates;
  /** The cookie that identifies a browser after a log-in. */
  readonly knownCookie: HostCookie;
}

export function accountsRoutes(deps: AccountsRoutesDeps): Route[] {
  const { accounts, logIns, addresses, resets, cookie, authenticator, knownBrowsers, knownCookie } = deps;
  /** The account of a session token; "" for any other token, so that such a request does not count as one without a token. */
  const sessionAccount = async (header: string | undefined) => {
    if (header === undefined) return undefined;
    const presenter = await authenticator.authenticate(header).catch(unlessRefused);
    return presenter?.kind === "account" ? presenter.accountId : "";
  };
  return [
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "a new account has no data; sign-ups of an address are limited" },
      path: "/api/accounts",
      operationId: "createAccount",
      tag: "accounts",
      summary: "Create an account with its first ecosystem, environment and user",
      limit: "sign-up",
      body: bodyOf(newAccount),
      answers: { 201: madeAccount },
      location: 201,
      errors: ["Email Invalid", "Email Exists", "Password Too Weak"],
      handle: async (call) => created(await accounts.create(call.body, call.address), "/api/account"),
    }),
    defineOpenRoute({
      method: "POST",
      whenFull: LOG_INS_GO_ON,
      path: "/api/accounts/login",
      operationId: "loginAccount",
      tag: "accounts",
      summary: "Log in",
      limit: "log-in",
      body: bodyOf(newLogin),
      answers: { 201: login },
      setsCookie: true,
      errors: ["Login Failed", "Rate Limit Exceeded"],
      handle: async (call) => {
        const { email } = call.body;
        const from = { address: call.address, userAgent: call.header("user-agent")?.slice(0, 255) };
        const browser = knownCookie.read(call);
        const id = knownBrowsers.idOf(browser, email);
        const unknown = { kind: "unknown", network: networkKey(call.address) } as const;
        const made = await logIns.logIn(call.body, from, id === undefined ? unknown : { kind: "known", id });
        if (!call.body.session) return created(made);
        const { token, ...shown } = made;
        const isKept = call.body.keepMeLoggedIn === true;
        const known = knownCookie.set(call, knownBrowsers.remember(browser, email), true);
        return { status: 201, body: shown, cookies: [cookie.set(call, token, isKept), known] };
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: { goesOn: "it ends access, once for each log-in" },
      path: "/api/accounts/logout",
      operationId: "logoutAccount",
      tag: "accounts",
      summary: "Log out: end the session of the token that is sent",
      tokens: A,
      takesIdempotencyKey: true,
      answers: { 200: undefined },
      setsCookie: true,
      handle: async (call) => {
        const hadCookie = await logIns.end(call.caller, call.caller.tokenId);
        return hadCookie ? { status: 200, cookies: [cookie.clear(call)] } : done();
      },
    }),
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "it verifies an address once for each code" },
      path: "/api/accounts/verify",
      operationId: "verifyAccount",
      tag: "accounts",
      summary: "Verify an e-mail address with the code that was sent to it",
      limit: "password-reset",
      mayHaveSession: true,
      body: bodyOf(verification),
      answers: { 200: undefined },
      errors: ["Reset Code Invalid"],
      handle: async (call) => {
        await addresses.verify(call.body.code, () => sessionAccount(call.header("authorization")), call.address);
        return done();
      },
    }),
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "an owner recovers the account as before; resets of an address are limited" },
      path: "/api/accounts/password-reset",
      operationId: "createAccountPasswordReset",
      tag: "accounts",
      summary: "Send a code for a new password, if an account has this e-mail address",
      limit: "password-reset",
      body: bodyOf(passwordReset),
      answers: { 202: undefined },
      handle: async (call) => {
        await resets.request(call.body.email, call.address);
        return { status: 202 };
      },
    }),
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "an owner recovers the account as before, once for each code" },
      path: "/api/accounts/password-reset/confirm",
      operationId: "confirmAccountPasswordReset",
      tag: "accounts",
      summary: "Set a new password with the code that was sent",
      limit: "password-reset",
      body: bodyOf(newPassword),
      answers: { 200: passwordResetResult },
      errors: ["Reset Code Invalid", "Password Too Weak"],
      handle: async (call) => ok(await resets.confirm(call.body, call.address)),
    }),
  ];
}

/** Returns undefined for an invalid credential. @throws what the store throws */
function unlessRefused(error: unknown): undefined {
  if (!isNamed(error) || error.status !== 401) throw error;
}
