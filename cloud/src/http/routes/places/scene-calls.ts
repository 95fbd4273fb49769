/** `/api/scenes/capture` and `/api/scenes/:id/call`: captures present values as a scene, and applies a scene. */
import { scene, sceneCall, sceneCapture, sceneResult } from "@porchlight/shared/api";
import { preferenceApplied, readPrefer } from "@porchlight/shared/rest";
import { type Scenes, sceneResource } from "../../../scenes/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { A_S_U, COMMANDS_GO_ON, created, defineRoute, type Route } from "../../routing/route.ts";
import { arraysAnswer } from "../devices/property-answers.ts";
import { requestOrigin } from "../devices/property-write.ts";

const PATH = "/api/scenes";

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
