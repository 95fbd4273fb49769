/** `/api/clients`: the hubs of an environment, and whether they are connected. */
import { client, newClient, page } from "@porchlight/shared/api";
import { ifMatch, PAGING } from "@porchlight/shared/rest";
import type { Clients } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A_S_U, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { readChange, requireReadBack, updateBody } from "../object-routes.ts";

const PATH = "/api/clients";

export function clientRoutes({ clients, pager }: { clients: Clients; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listClients",
      tag: "clients",
      summary: "List the clients",
      tokens: A_S_U,
      query: [...PAGING, "environmentId"],
      answers: { 200: page(client) },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) => clients.list(call.caller, call.query.environmentId, after, limit);
        return pager.answer(asked, list, (row) => clients.resource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createClient",
      tag: "clients",
      summary: "Create a client",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: bodyOf(newClient),
      answers: { 201: client },
      location: 201,
      errors: ["Environment Not Found", "Access Denied", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await clients.create(call.caller, call.body, metaPrefix);
        return created(clients.resource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getClient",
      tag: "clients",
      summary: "Show a client and its connection",
      tokens: A_S_U,
      answers: { 200: client },
      errors: ["Client Invalid", "Client Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await clients.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(clients.resource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateClient",
      tag: "clients",
      summary: "Change the alias and metadata of a client",
      tokens: A_S_U,
      body: updateBody(["ecosystemId", "environmentId", "edgeId"], ["connection"]),
      answers: { 200: undefined },
      errors: ["Client Invalid", "Client Not Found", "Access Denied", "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const change = readChange(call);
        const { id } = call.params;
        await requireReadBack(call, async () => clients.resource(await clients.get(call.caller, id)));
        return done((await clients.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteClient",
      tag: "clients",
      summary: "Delete a client with its tokens and its physical devices",
      tokens: A_S_U,
      answers: { 200: undefined },
      errors: ["Client Invalid", "Client Not Found", "Access Denied", "Precondition Failed"],
      handle: async (call) => {
        await clients.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}
