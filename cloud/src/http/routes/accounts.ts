/** `/api/accounts`, `/api/account`: sign-up, log-in, log-out, the account and its log-ins. */
import {
  account,
  login,
  loginEntry as loginEntrySchema,
  madeAccount,
  newAccount,
  newLogin,
  page,
} from "@porchlight/shared/api";
import { type Accounts, type LogIns, loginEntry } from "../../accounts/index.ts";
import { bodyOf } from "../body-rules.ts";
import type { Pager } from "../page.ts";
import { PAGING } from "../query.ts";
import { A, created, defineOpenRoute, defineRoute, done, ok, type Route } from "../route.ts";

export function accountRoutes(deps: { accounts: Accounts; logIns: LogIns; pager: Pager }): Route[] {
  const { accounts, logIns, pager } = deps;
  return [
    defineOpenRoute({
      method: "POST",
      path: "/api/accounts",
      summary: "Create an account with its first ecosystem, environment and user",
      limit: "sign-up",
      body: bodyOf(newAccount),
      answers: { 201: madeAccount },
      errors: ["Email Invalid", "Email Exists", "Password Too Weak"],
      handle: async (call) => created(await accounts.create(call.body, call.address), "/api/account"),
    }),
    defineOpenRoute({
      method: "POST",
      path: "/api/accounts/login",
      summary: "Log in",
      limit: "log-in",
      body: bodyOf(newLogin),
      answers: { 201: login },
      errors: ["Login Failed"],
      handle: async (call) => {
        const from = { address: call.address, userAgent: call.header("user-agent")?.slice(0, 255) };
        return created(await logIns.logIn(call.body, from));
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/accounts/logout",
      summary: "End the log-in that the presented token is",
      tokens: A,
      answers: { 200: undefined },
      handle: async (call) => {
        await logIns.end(call.caller, call.caller.tokenId);
        return done();
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/account",
      summary: "Show the account",
      tokens: A,
      answers: { 200: account },
      handle: async (call) => ok(await accounts.get(call.caller)),
    }),
    defineRoute({
      method: "GET",
      path: "/api/account/tokens",
      summary: "List the account's log-ins",
      tokens: A,
      query: PAGING,
      answers: { 200: page(loginEntrySchema) },
      handle: async (call) => {
        const asked = pager.read(call);
        return pager.answer(asked, await logIns.list(call.caller, asked.after, asked.limit), loginEntry);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/account/tokens/:tokenId",
      summary: "End a log-in",
      tokens: A,
      answers: { 200: undefined },
      errors: ["Token Not Found"],
      handle: async (call) => {
        await logIns.end(call.caller, call.params.tokenId);
        return done();
      },
    }),
  ];
}
