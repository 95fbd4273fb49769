/** `/api/ecosystems`: the caller's own. */
import { ecosystem, page } from "@porchlight/shared/api";
import { type Ecosystems, ecosystemResource } from "../../places/index.ts";
import { unlessMatch } from "../conditions.ts";
import type { Pager } from "../page.ts";
import { PAGING } from "../query.ts";
import { A_S_U, defineRoute, ok, type Route } from "../route.ts";

export function ecosystemRoutes(deps: { ecosystems: Ecosystems; pager: Pager }): Route[] {
  const { ecosystems, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: "/api/ecosystems",
      summary: "List the ecosystems",
      tokens: A_S_U,
      query: PAGING,
      answers: { 200: page(ecosystem) },
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const rows = await ecosystems.list(call.caller, asked.after, asked.limit);
        return pager.answer(asked, rows, (row) => ecosystemResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "GET",
      path: "/api/ecosystems/:id",
      summary: "Show an ecosystem",
      tokens: A_S_U,
      answers: { 200: ecosystem },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await ecosystems.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(ecosystemResource(row, metaPrefix), row.version));
      },
    }),
  ];
}
