/** `/api/account`: the caller's own account, and its log-ins. */
import {
  account,
  accountChange,
  accountErasure,
  grant,
  loginEntry as loginEntrySchema,
  page,
} from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import {
  type AccountChanges,
  type Accounts,
  type Erasures,
  type Grants,
  type LogIns,
  loginEntry,
} from "../../../accounts/index.ts";
import { bodyOf, requireUnchanged } from "../../routing/body-rules.ts";
import type { Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A, defineRoute, done, ok, type Route } from "../../routing/route.ts";
import { readLogTime } from "./requests.ts";

export interface AccountRoutesDeps {
  readonly accounts: Accounts;
  readonly changes: AccountChanges;
  readonly erasures: Erasures;
  readonly logIns: LogIns;
  readonly grants: Grants;
  readonly pager: Pager;
}

export function accountRoutes({ accounts, changes, erasures, logIns, grants, pager }: AccountRoutesDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/account",
      operationId: "getAccount",
      tag: "accounts",
      summary: "Show the account",
      tokens: A,
      answers: { 200: account },
      handle: async (call) => ok(await accounts.get(call.caller)),
    }),
    defineRoute({
      method: "PUT",
      whenFull: {
        goesOn: "a password that others know must be changed; what it takes to check a password limits how often",
      },
      path: "/api/account",
      operationId: "updateAccount",
      tag: "accounts",
      summary: "Change the name, e-mail address or password of the account, with the current password",
      tokens: A,
      body: bodyOf(accountChange, { readOnly: ["id", "emailVerified", "createdAt"] }),
      answers: { 200: undefined },
      errors: ["Password Incorrect", "Password Too Weak", "Email Exists", "Rate Limit Exceeded"],
      handle: async (call) => {
        requireUnchanged(call.readBack, await accounts.get(call.caller));
        await changes.change(call.caller, call.body);
        return done();
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/account",
      operationId: "deleteAccount",
      tag: "accounts",
      summary: "Delete the account and everything that it owns, with the current password",
      tokens: A,
      body: bodyOf(accountErasure, { optional: true }),
      answers: { 200: undefined },
      errors: ["Password Incorrect", "Rate Limit Exceeded"],
      headers: ["x-current-password"],
      handle: async (call) => {
        const password = call.body.currentPassword ?? headerText(call.header("x-current-password"));
        if (!password)
          throw new NamedError(
            "Body Parameters Missing",
            "`currentPassword` is missing, and so is the header `x-current-password`.",
            { errors: [{ pointer: "/currentPassword", message: "is missing" }] },
          );
        await erasures.erase(call.caller, password);
        return done();
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/account/tokens",
      operationId: "listAccountTokens",
      tag: "accounts",
      summary: "List the sessions of the account",
      tokens: A,
      query: PAGING,
      answers: { 200: page(loginEntrySchema) },
      handle: async (call) => {
        const asked = pager.read(call);
        return pager.answer(asked, ({ after, limit }) => logIns.list(call.caller, after, limit), loginEntry);
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/account/grants",
      operationId: "listAccountGrants",
      tag: "accounts",
      summary: "List what has access to the account besides its sessions: tokens, webhooks and sinks",
      tokens: A,
      query: [...PAGING, "order", "since"],
      answers: { 200: page(grant) },
      handle: async (call) => {
        const asked = pager.read(call);
        const since = readLogTime("since", call.query.since);
        return pager.answer(
          asked,
          (part) => grants.list(call.caller, since, part),
          ({ resource }) => resource,
        );
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/account/tokens/:tokenId",
      operationId: "deleteAccountToken",
      tag: "accounts",
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

/** Decodes a header as UTF-8, else as Latin-1: Node reads bytes, programs send UTF-8, browsers Latin-1. */
function headerText(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, "latin1");
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") ? header : text;
}
