/** `/api/users`: users and their access to environments. */
import { accessEntry, newAccessEntry, newUser, page, user } from "@porchlight/shared/api";
import { ifMatch, PAGING } from "@porchlight/shared/rest";
import { accessEntryResource, type UserAccess, type Users, userResource } from "../../../accounts/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A_S, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { readChange, requireReadBack, updateBody } from "../object-routes.ts";

const PATH = "/api/users";

export function userRoutes(deps: { users: Users; userAccess: UserAccess; pager: Pager }): Route[] {
  return [...ofUsers(deps), ...ofAccess(deps)];
}

function ofUsers({ users, pager }: { users: Users; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listUsers",
      tag: "users",
      summary: "List the users",
      tokens: A_S,
      query: [...PAGING, "ecosystemId"],
      answers: { 200: page(user) },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) => users.list(call.caller, call.query.ecosystemId, after, limit);
        return pager.answer(asked, list, (row) => userResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createUser",
      tag: "users",
      summary: "Register a user with a key of your own",
      tokens: A_S,
      takesIdempotencyKey: true,
      body: bodyOf(newUser),
      answers: { 201: user },
      location: 201,
      errors: ["User Key Exists", "Ecosystem Missing", "Ecosystem Invalid", "Ecosystem Not Found", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await users.create(call.caller, call.body, metaPrefix);
        return created(userResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getUser",
      tag: "users",
      summary: "Show a user",
      tokens: A_S,
      answers: { 200: user },
      errors: ["User Invalid", "User Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await users.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(userResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateUser",
      tag: "users",
      summary: "Change the alias and metadata of a user",
      tokens: A_S,
      body: updateBody(["ecosystemId", "key"]),
      answers: { 200: undefined },
      errors: ["User Invalid", "User Not Found", "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const change = readChange(call);
        const { id } = call.params;
        await requireReadBack(call, async () => userResource(await users.get(call.caller, id)));
        return done((await users.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteUser",
      tag: "users",
      summary: "Delete a user with its access and tokens",
      tokens: A_S,
      answers: { 200: undefined },
      errors: ["User Invalid", "User Not Found", "Account User Required", "Precondition Failed"],
      handle: async (call) => {
        await users.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}

function ofAccess({ userAccess, pager }: { userAccess: UserAccess; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/:id/access`,
      operationId: "listUserAccess",
      tag: "users",
      summary: "List the access entries of a user",
      tokens: A_S,
      query: PAGING,
      answers: { 200: page(accessEntry) },
      errors: ["User Invalid", "User Not Found"],
      handle: async (call) => {
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) => userAccess.list(call.caller, call.params.id, after, limit);
        return pager.answer(asked, list, accessEntryResource);
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/:id/access`,
      operationId: "createUserAccess",
      tag: "users",
      summary: "Give a user full access to an environment",
      tokens: A_S,
      takesIdempotencyKey: true,
      body: bodyOf(newAccessEntry),
      answers: { 201: accessEntry },
      location: 201,
      errors: ["User Invalid", "User Not Found", "Environment Invalid", "Environment Not Found"],
      handle: async (call) => {
        const row = await userAccess.grant(call.caller, call.params.id, call.body.environmentId);
        return created(accessEntryResource(row), `${PATH}/${row.user_id}/access/${row.id}`);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id/access/:accessId`,
      operationId: "deleteUserAccess",
      tag: "users",
      summary: "Remove a user's access to an environment",
      tokens: A_S,
      answers: { 200: undefined },
      errors: ["User Invalid", "User Not Found", "Access Entry Invalid", "Access Entry Not Found"],
      handle: async (call) => {
        await userAccess.takeAway(call.caller, call.params.id, call.params.accessId);
        return done();
      },
    }),
  ];
}
