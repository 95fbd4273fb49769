/** `/api/requests`: what was requested, and how it was answered. */
import { loggedRequest, page } from "@porchlight/shared/api";
import { isId, NamedError } from "@porchlight/shared/kernel";
import { readRequestId } from "@porchlight/shared/rest";
import { referenceInvalid } from "../../../access/index.ts";
import { loggedRequestResource, type RequestLog } from "../../../ops/index.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S, defineRoute, type Route } from "../../routing/route.ts";
import { readLogTime, readStatuses, readWord } from "./log-filters.ts";

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
