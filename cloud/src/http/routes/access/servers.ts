/** `/api/servers`: the operator's programs. */
import { newServer, page, server } from "@porchlight/shared/api";
import { ifMatch, PAGING } from "@porchlight/shared/rest";
import { DEFAULT_META_PREFIX } from "../../../access/index.ts";
import { type Servers, serverResource } from "../../../accounts/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { readChange, requireReadBack, updateBody } from "../object-routes.ts";

const PATH = "/api/servers";

export function serverRoutes({ servers, pager }: { servers: Servers; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listServers",
      tag: "servers",
      summary: "List the servers",
      tokens: A,
      query: [...PAGING, "ecosystemId"],
      answers: { 200: page(server) },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) => servers.list(call.caller, call.query.ecosystemId, after, limit);
        return pager.answer(asked, list, (row) => serverResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createServer",
      tag: "servers",
      summary: "Create a server with its first token",
      tokens: A,
      needsVerifiedAddress: true,
      takesIdempotencyKey: true,
      body: bodyOf(newServer),
      answers: { 201: server },
      location: 201,
      errors: ["Ecosystem Missing", "Ecosystem Invalid", "Ecosystem Not Found", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await servers.create(call.caller, call.body, metaPrefix);
        return created(serverResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getServer",
      tag: "servers",
      summary: "Show a server",
      tokens: A,
      answers: { 200: server },
      errors: ["Server Invalid", "Server Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await servers.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(serverResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateServer",
      tag: "servers",
      summary: "Change the alias and metadata of a server",
      tokens: A,
      body: updateBody(["ecosystemId"]),
      answers: { 200: undefined },
      errors: ["Server Invalid", "Server Not Found", "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const change = readChange(call);
        const { id } = call.params;
        await requireReadBack(call, async () =>
          serverResource(await servers.get(call.caller, id), DEFAULT_META_PREFIX),
        );
        return done((await servers.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteServer",
      tag: "servers",
      summary: "Delete a server with its tokens",
      tokens: A,
      answers: { 200: undefined },
      errors: ["Server Invalid", "Server Not Found", "Precondition Failed"],
      handle: async (call) => {
        await servers.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}
