/** `/api/scenes`: named values for devices and zones of an environment, with their triggers. */
import { newScene, page, scene, sceneUpdate } from "@porchlight/shared/api";
import type { ErrorName } from "@porchlight/shared/kernel";
import { type Scenes, sceneResource } from "../../../scenes/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { ifMatch, unlessMatch } from "../../routing/conditions.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S_U, created, defineRoute, done, ok, type Route } from "../../routing/route.ts";
import { readChange, requireReadBack } from "../object-routes.ts";

const PATH = "/api/scenes";
const REFERENCE_ERRORS: readonly ErrorName[] = ["Scene Invalid", "Scene Not Found", "Access Denied"];
const CONTENT_ERRORS: readonly ErrorName[] = [
  ...(["Scene Item Invalid", "Scene Item Not Found", "Scene Trigger Invalid", "Device Invalid"] as const),
  ...(["Device Not Found", "Service Not Found", "Service Property Invalid"] as const),
  ...(["Property Not Writable", "Property Value Invalid", "Alias Exists"] as const),
];

export function sceneRoutes({ scenes, pager }: { scenes: Scenes; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listScenes",
      tag: "scenes",
      summary: "List the scenes",
      tokens: A_S_U,
      query: [...PAGING, "environmentId"],
      answers: { 200: page(scene) },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = (part: PagePart) => scenes.list(call.caller, call.query.environmentId, part);
        return pager.answer(asked, list, (row) => sceneResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createScene",
      tag: "scenes",
      summary: "Create a scene",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: bodyOf(newScene),
      answers: { 201: scene },
      location: 201,
      errors: ["Environment Not Found", "Access Denied", ...CONTENT_ERRORS],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await scenes.create(call.caller, call.body, metaPrefix);
        return created(sceneResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getScene",
      tag: "scenes",
      summary: "Show a scene",
      tokens: A_S_U,
      answers: { 200: scene },
      errors: REFERENCE_ERRORS,
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await scenes.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(sceneResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateScene",
      tag: "scenes",
      summary: "Change the alias, metadata, items and triggers of a scene",
      tokens: A_S_U,
      body: bodyOf(sceneUpdate, {
        readOnly: ["id", "createdAt", "ecosystemId", "environmentId"],
        // Derived from the devices, which can have moved to another hub meanwhile.
        ignored: ["hubId"],
      }),
      answers: { 200: undefined },
      errors: [...REFERENCE_ERRORS, "Precondition Failed", ...CONTENT_ERRORS],
      handle: async (call) => {
        const { items, triggers } = call.body;
        const change = { ...readChange(call), items, triggers };
        const { id } = call.params;
        await requireReadBack(call, async () => sceneResource(await scenes.get(call.caller, id)));
        return done((await scenes.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteScene",
      tag: "scenes",
      summary: "Delete a scene",
      tokens: A_S_U,
      answers: { 200: undefined },
      errors: [...REFERENCE_ERRORS, "Precondition Failed"],
      handle: async (call) => {
        await scenes.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}
