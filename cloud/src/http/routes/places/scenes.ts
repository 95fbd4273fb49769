/** `/api/scenes`: named values for devices and zones of an environment, with their triggers; captured and called. */
import { newScene, page, scene, sceneCall, sceneCapture, sceneResult, sceneUpdate } from "@porchlight/shared/api";
import type { ErrorName } from "@porchlight/shared/kernel";
import { ifMatch, PAGING, preferenceApplied, readPrefer } from "@porchlight/shared/rest";
import { type Scenes, sceneResource } from "../../../scenes/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A_S_U, COMMANDS_GO_ON, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { arraysAnswer, requestOrigin } from "../devices/properties.ts";
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

/** `/api/scenes/capture` and `/api/scenes/:id/call`: captures present values as a scene, and applies a scene. */
export function sceneCallRoutes({ scenes }: { scenes: Scenes }): Route[] {
  return [
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/capture`,
      operationId: "captureScene",
      tag: "scenes",
      summary: "Create a scene from the current values of devices",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: bodyOf(sceneCapture),
      answers: { 201: scene },
      location: 201,
      errors: ["Environment Not Found", "Access Denied", "Scene Item Invalid", "Scene Item Not Found", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await scenes.capture(call.caller, call.body, metaPrefix);
        return created(sceneResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: COMMANDS_GO_ON,
      path: `${PATH}/:id/call`,
      operationId: "callScene",
      tag: "scenes",
      summary: "Call a scene: set everything that it sets",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      keepsCommands: true,
      body: bodyOf(sceneCall, { optional: true }),
      answers: { 200: sceneResult },
      waitsForDevices: true,
      errors: ["Scene Invalid", "Scene Not Found", "Access Denied", "Device Invalid", "Device Not Found"],
      handle: async (call) => {
        const { waitMs, applied } = readPrefer(call.header("prefer"));
        const { tokenId } = call.caller;
        const { requestId, attempt: keeper } = call;
        const origin = requestOrigin(call);
        const request = { only: call.body.only, waitMs, tokenId, requestId, origin, keeper };
        const { commandId, items, failures } = await scenes.call(call.caller, call.params.id, request);
        return arraysAnswer({ items, failures }, () => call.turn(), preferenceApplied(applied), { commandId });
      },
    }),
  ];
}
