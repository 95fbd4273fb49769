/** `/api/requests` and `/api/audit`: logged requests with their answers, and the audit. */
import { auditActors, auditEntry, loggedRequest, page, parseTime } from "@porchlight/shared/api";
import { isId, NamedError } from "@porchlight/shared/kernel";
import { PAGING, readRequestId } from "@porchlight/shared/rest";
import { referenceInvalid } from "../../../access/index.ts";
import { type AuditLog, auditEntryResource, loggedRequestResource, type RequestLog } from "../../../ops/index.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A, A_S, defineRoute, type Route } from "../../routing/route.ts";

export function requestRoutes(deps: { requestLog: RequestLog; pager: Pager }): Route[] {
  const { requestLog, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: "/api/requests",
      operationId: "listRequests",
      tag: "records",
      summary: "List the requests of the last seven days",
      tokens: A_S,
      query: [...PAGING, "order", "ecosystemId", "status", "method", "path", "since", "until", "tokenId", "requestId"],
      answers: { 200: page(loggedRequest) },
      errors: ["Query Parameter Invalid", "Ecosystem Invalid", "Ecosystem Not Found", "Token Invalid"],
      handle: async (call) => {
        const asked = pager.read(call);
        const { ecosystemId, status, method, path, since, until, tokenId, requestId } = call.query;
        if (tokenId !== undefined && !isId("tok", tokenId)) throw referenceInvalid("tok");
        const filter = {
          ...{ ecosystemId, tokenId, requestId: readAnswersId(requestId), status: readStatuses(status) },
          method: readWord("method", method, /^[A-Z]{1,16}$/, "a method of HTTP such as PUT"),
          path: readWord("path", path, /^.{1,200}$/, "a part of a path, of 1 to 200 characters"),
          ...{ since: readLogTime("since", since), until: readLogTime("until", until) },
        };
        const list = (part: PagePart) => requestLog.list(call.caller, filter, part);
        return pager.answer(asked, list, loggedRequestResource);
      },
    }),
  ];
}

/** @throws "Query Parameter Invalid" */
function readAnswersId(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = readRequestId(text);
  if (id !== undefined) return id;
  throw new NamedError("Query Parameter Invalid", "`requestId` must be a value that an answer has in `x-request-id`.");
}

/** Forms of the filters of `/api/audit`. */
const ACTOR = new RegExp(`^(?:${auditActors.join("|")})$`);
const ACTION = /^[A-Za-z]{1,40}\.(?:[A-Za-z_-]{1,40}|\*)$/;

export function auditRoutes(deps: { auditLog: AuditLog; pager: Pager }): Route[] {
  const { auditLog, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: "/api/audit",
      operationId: "listAudit",
      tag: "records",
      summary: "List who did what in the account and its ecosystems",
      tokens: A,
      query: [...PAGING, "order", "ecosystemId", "since", "until", "actor", "action"],
      answers: { 200: page(auditEntry) },
      errors: ["Query Parameter Invalid", "Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const asked = pager.read(call);
        const { ecosystemId, since, until, actor, action } = call.query;
        const filter = {
          ...{ ecosystemId, since: readLogTime("since", since), until: readLogTime("until", until) },
          actor: readWord("actor", actor, ACTOR, `one of ${auditActors.join(", ")}`),
          action: readWord("action", action, ACTION, "an action such as zone.created, or zone.* for all with zones"),
        };
        const list = (part: PagePart) => auditLog.list(call.caller, filter, part);
        return pager.answer(asked, list, auditEntryResource);
      },
    }),
  ];
}

/** Parses a time of a log's query parameter: wall clock, ms. @throws "Query Parameter Invalid" */
export function readLogTime(name: "since" | "until", text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text);
  if (time === undefined)
    throw new NamedError("Query Parameter Invalid", `\`${name}\` must be a time such as 2026-11-05 14:03:07Z.`);
  return time;
}

/** Parses one HTTP status, or all of a class. @returns the least and the greatest @throws "Query Parameter Invalid" */
function readStatuses(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  if (/^[1-5]xx$/.test(text)) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  if (/^[1-5]\d\d$/.test(text)) return [Number(text), Number(text)];
  throw new NamedError("Query Parameter Invalid", "`status` must be a number such as 404, or a class such as 4xx.");
}

/** Checks the form of a parameter. @param words description of the form, for the error @throws "Query Parameter Invalid" */
function readWord(name: string, text: string | undefined, form: RegExp, words: string): string | undefined {
  if (text === undefined || form.test(text)) return text;
  throw new NamedError("Query Parameter Invalid", `\`${name}\` is ${words}.`);
}
