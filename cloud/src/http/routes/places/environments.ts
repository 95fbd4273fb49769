/** `/api/environments`: create, list, show, change and delete. */
import { environment, environmentUpdate, newEnvironment, page } from "@porchlight/shared/api";
import { type Environments, environmentResource } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { ifMatch, unlessMatch } from "../../routing/conditions.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S, A_S_U, created, defineRoute, done, ok, type Route } from "../../routing/route.ts";
import { readChange, requireReadBack } from "../object-routes.ts";

const PATH = "/api/environments";

export function environmentRoutes(deps: { environments: Environments; pager: Pager }): Route[] {
  const { environments, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listEnvironments",
      tag: "environments",
      summary: "List the environments",
      tokens: A_S_U,
      query: [...PAGING, "ecosystemId"],
      answers: { 200: page(environment) },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) =>
          environments.list(call.caller, call.query.ecosystemId, after, limit);
        return pager.answer(asked, list, (row) => environmentResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createEnvironment",
      tag: "environments",
      summary: "Create an environment",
      tokens: A_S,
      takesIdempotencyKey: true,
      body: bodyOf(newEnvironment),
      answers: { 201: environment },
      location: 201,
      errors: ["Ecosystem Missing", "Ecosystem Invalid", "Ecosystem Not Found", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await environments.create(call.caller, call.body, metaPrefix);
        return created(environmentResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getEnvironment",
      tag: "environments",
      summary: "Show an environment",
      tokens: A_S_U,
      answers: { 200: environment },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await environments.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(environmentResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateEnvironment",
      tag: "environments",
      summary: "Change the alias, metadata, time zone and location of an environment",
      tokens: A_S_U,
      body: bodyOf(environmentUpdate, { readOnly: ["id", "createdAt", "ecosystemId"] }),
      answers: { 200: undefined },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied", "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const { timeZone, location } = call.body;
        const change = { ...readChange(call), timeZone, location };
        const { id } = call.params;
        await requireReadBack(call, async () => environmentResource(await environments.get(call.caller, id)));
        return done((await environments.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteEnvironment",
      tag: "environments",
      summary: "Delete an environment with everything in it",
      tokens: A_S,
      answers: { 200: undefined },
      errors: ["Environment Invalid", "Environment Not Found", "Precondition Failed"],
      handle: async (call) => {
        await environments.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}
