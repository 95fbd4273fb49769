/** `/api/audit`: who did what. */
import { auditEntry, page, parseTime } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { type AuditLog, auditEntryResource } from "../../../ops/index.ts";
import type { Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A, defineRoute, type Route } from "../../routing/route.ts";

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
      query: [...PAGING, "order", "ecosystemId", "since"],
      answers: { 200: page(auditEntry) },
      errors: ["Query Parameter Invalid", "Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const asked = pager.read(call);
        const filter = { ecosystemId: call.query.ecosystemId, since: readSince(call.query.since) };
        const rows = await auditLog.list(call.caller, filter, asked);
        return pager.answer(asked, rows, auditEntryResource);
      },
    }),
  ];
}

/** Wall clock, ms. @throws "Query Parameter Invalid" */
function readSince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const since = parseTime(text);
  if (since === undefined)
    throw new NamedError("Query Parameter Invalid", "`since` is a time such as 2026-11-05 14:03:07Z.");
  return since;
}
