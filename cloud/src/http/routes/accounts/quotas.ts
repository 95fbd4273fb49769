/** `/api/quotas` and `/api/usage`: the limits, and how much of them is used. */
import { quotaList, usage } from "@porchlight/shared/api";
import type { QuotaUse, StorageUse } from "../../../ops/index.ts";
import { A, A_S, defineRoute, ok, type Route } from "../../routing/route.ts";

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
