/** `/api/ecosystems`: the account creates, lists, shows, changes and deletes them; their servers and users may read theirs. */
import { ecosystem, newEcosystem, page } from "@porchlight/shared/api";
import { ifMatch, PAGING } from "@porchlight/shared/rest";
import { type Ecosystems, ecosystemResource } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A, A_S_U, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { readChange, requireReadBack, updateBody } from "../object-routes.ts";

const PATH = "/api/ecosystems";

export function ecosystemRoutes(deps: { ecosystems: Ecosystems; pager: Pager }): Route[] {
  const { ecosystems, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listEcosystems",
      tag: "ecosystems",
      summary: "List the ecosystems",
      tokens: A_S_U,
      query: PAGING,
      answers: { 200: page(ecosystem) },
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) => ecosystems.list(call.caller, after, limit);
        return pager.answer(asked, list, (row) => ecosystemResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createEcosystem",
      tag: "ecosystems",
      summary: "Create an ecosystem",
      tokens: A,
      takesIdempotencyKey: true,
      body: bodyOf(newEcosystem),
      answers: { 201: ecosystem },
      location: 201,
      errors: ["Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await ecosystems.create(call.caller, call.body, metaPrefix);
        return created(ecosystemResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getEcosystem",
      tag: "ecosystems",
      summary: "Show an ecosystem",
      tokens: A_S_U,
      answers: { 200: ecosystem },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await ecosystems.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(ecosystemResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateEcosystem",
      tag: "ecosystems",
      summary: "Change the alias and metadata of an ecosystem",
      tokens: A,
      body: updateBody([]),
      answers: { 200: undefined },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found", "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const change = readChange(call);
        const { id } = call.params;
        await requireReadBack(call, async () => ecosystemResource(await ecosystems.get(call.caller, id)));
        return done((await ecosystems.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteEcosystem",
      tag: "ecosystems",
      summary: "Delete an ecosystem with everything in it",
      tokens: A,
      answers: { 200: undefined },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found", "Last Ecosystem Required", "Precondition Failed"],
      handle: async (call) => {
        await ecosystems.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}
