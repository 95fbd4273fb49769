/** `/api/account`: the caller's own account, its log-ins and its export; and its quotas: `/api/quotas` and `/api/usage`. */

import { Readable } from "node:stream";
import {
  account,
  accountChange,
  accountErasure,
  accountExport,
  exportStart,
  grant,
  loginEntry as loginEntrySchema,
  page,
  quotaList,
  usage,
} from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { PAGING } from "@porchlight/shared/rest";
import {
  type AccountChanges,
  type Accounts,
  type Erasures,
  type Grants,
  type LogIns,
  loginEntry,
} from "../../../accounts/index.ts";
import { type Download, type Exports, entityTag } from "../../../exports/index.ts";
import type { QuotaUse, StorageUse } from "../../../ops/index.ts";
import { bodyOf, requireUnchanged } from "../../routing/body-rules.ts";
import type { Pager } from "../../routing/page.ts";
import { A, A_S, type Answer, defineRoute, done, ok, type Route } from "../../routing/route.ts";
import { readLogTime } from "./requests.ts";

interface AccountRoutesDeps {
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

const PATH = "/api/account/export";

/** `/api/account/export`: all data that the service keeps of the account, as one archive. */
export function exportRoutes({ exports }: { readonly exports: Exports }): Route[] {
  return [
    defineRoute({
      method: "POST",
      whenFull: {
        goesOn: "an owner takes the data along before deleting it; one archive of each account, a few starts a day",
      },
      path: PATH,
      operationId: "startAccountExport",
      tag: "accounts",
      summary: "Start an export of everything that the service keeps of the account, with the current password",
      tokens: A,
      takesIdempotencyKey: true,
      body: bodyOf(exportStart),
      answers: { 202: accountExport },
      location: 202,
      errors: ["Password Incorrect", "Rate Limit Exceeded"],
      handle: async (call) => ({
        status: 202,
        body: await exports.start(call.caller, call.body.currentPassword),
        headers: { location: PATH },
      }),
    }),
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "getAccountExport",
      tag: "accounts",
      summary: "Show the state of the last export of the account",
      tokens: A,
      answers: { 200: accountExport },
      handle: async (call) => ok(await exports.get(call.caller)),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/archive`,
      operationId: "downloadAccountExport",
      tag: "accounts",
      summary: "Download the archive of the last export of the account, whole or a range of its bytes",
      tokens: A,
      answers: { 200: undefined, 206: undefined },
      media: "application/zip",
      hasRanges: true,
      errors: ["Export Not Found"],
      handle: async (call) => {
        const { isHead, address } = call;
        const asked = { range: call.header("range"), ifRange: call.header("if-range"), isHead, address };
        return archiveAnswer(await exports.download(call.caller, asked), isHead);
      },
    }),
  ];
}

function archiveAnswer({ id, size, range, fileName, read }: Download, isHead: boolean): Answer {
  const length = range ? range.last - range.first + 1 : size;
  return {
    status: range ? 206 : 200,
    body: isHead ? Readable.from([]) : Readable.from(read(), { objectMode: false }),
    media: "application/zip",
    headers: {
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${range.first}-${range.last}/${size}` }),
      "content-disposition": `attachment; filename="${fileName}"`,
      "accept-ranges": "bytes",
      // The archive is personal, and it can be deleted.
      "cache-control": "private, no-store",
      etag: entityTag(id),
    },
  };
}

/** `/api/quotas` and `/api/usage`: the limits, and how much of them is used. */
export function quotaRoutes({ quotaUse, storage }: { quotaUse: QuotaUse; storage: StorageUse }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/quotas",
      operationId: "listQuotas",
      tag: "service",
      summary: "List the quotas and how much of each is used",
      tokens: A_S,
      answers: { 200: quotaList },
      handle: async (call) => ok({ items: await quotaUse.list(call.caller) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/usage",
      operationId: "getUsage",
      tag: "service",
      summary: "Show how many bytes the data of the account takes",
      tokens: A,
      answers: { 200: usage },
      handle: async (call) => ok(await storage.usage(call.caller.accountId)),
    }),
  ];
}
