/** `/api/audit`: who did what. */
import { auditActors, auditEntry, page } from "@porchlight/shared/api";
import { type AuditLog, auditEntryResource } from "../../../ops/index.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A, defineRoute, type Route } from "../../routing/route.ts";
import { readLogTime, readWord } from "./log-filters.ts";

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
