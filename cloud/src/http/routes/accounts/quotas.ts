/** `/api/quotas`: how many there may be, and how many there are. */
import { quotaList } from "@porchlight/shared/api";
import type { QuotaUse } from "../../../ops/index.ts";
import { A_S, defineRoute, ok, type Route } from "../../routing/route.ts";

export function quotaRoutes({ quotaUse }: { quotaUse: QuotaUse }): Route[] {
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
  ];
}
