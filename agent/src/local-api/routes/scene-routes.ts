/** The routes at home of the hub's scenes: listed, shown, called. They are made and changed in the cloud. */
import { bodyInvalid, hasAlready, PAGING, preferenceApplied, readPrefer } from "@porchlight/shared/rest";
import type { StoredScene } from "@porchlight/shared/tunnel";
import type { HomeAnswer, HomeCall, HomeRoute } from "../server/home-call.ts";
import { type CallSceneDeps, callScene } from "./call-scene.ts";
import type { HomePages } from "./home-pages.ts";
import type { HomeScenes } from "./home-scenes.ts";
import type { HomeReferences } from "./references.ts";
import type { WriteKey } from "./repeats.ts";

export interface SceneRouteDeps {
  readonly scenes: HomeScenes;
  readonly references: HomeReferences;
  readonly pages: HomePages;
  readonly calls: CallSceneDeps;
  /** @throws "Idempotency Key Invalid" */
  readonly keyOf: (call: HomeCall) => WriteKey | undefined;
  /** That the hub may touch devices. @throws "Service Unavailable" */
  readonly requireTouch: () => void;
}

const SCENES = "/api/scenes";
/** Devices that one call names. */
const MOST_ONLY = 1000;

export function sceneRoutes(deps: SceneRouteDeps): HomeRoute[] {
  const { scenes, references } = deps;
  return [
    { method: "GET", path: SCENES, query: [...PAGING, "environmentId"], handle: (call) => listScenes(deps, call) },
    {
      method: "GET",
      path: `${SCENES}/:id`,
      query: [],
      handle: (call) => {
        const { metaPrefix } = call;
        const scene = references.scene(call.param("id"));
        // As the cloud told it: its tag at home is another than in the cloud, where it can be changed.
        const headers = { etag: `"${scene.digest}"` };
        if (hasAlready(call.header("if-none-match"), headers.etag)) return { status: 304, headers };
        return { status: 200, headers, body: scenes.show(scene, metaPrefix) };
      },
    },
    {
      method: "POST",
      path: `${SCENES}/:id/call`,
      query: [],
      takesBody: "optional",
      handle: (call) => callOne(deps, call),
    },
  ];
}

function listScenes({ scenes, references, pages }: SceneRouteDeps, call: HomeCall): HomeAnswer {
  const { metaPrefix, query, path, token } = call;
  const asked = pages.read({ tokenId: token.id, path, query });
  if (query.environmentId !== undefined) references.environment(query.environmentId);
  const { items, ...rest } = pages.page(asked, scenes.all());
  const shown = items.flatMap(({ id }) => {
    const scene = scenes.get(id);
    return scene ? [scenes.show(scene, metaPrefix)] : [];
  });
  return { status: 200, body: { items: shown, ...rest } };
}

/** Throws "Body Parameters Invalid", "Device Invalid", "Device Not Found", "Scene Invalid", "Scene Not Found", and what calling does. */
async function callOne(deps: SceneRouteDeps, call: HomeCall): Promise<HomeAnswer> {
  const { references, calls, keyOf, requireTouch } = deps;
  const named = readOnly(call.body);
  const key = keyOf(call);
  const { waitMs, applied } = readPrefer(call.header("prefer"));
  const scene = references.scene(call.param("id"));
  const only = named && devicesOf(references, scene, named);
  requireTouch();
  const { result, replayed } = await callScene(calls, { scene, only, waitMs, key });
  const headers = { ...preferenceApplied(applied), ...(replayed && { "idempotent-replayed": "true" }) };
  return { status: 200, body: result, headers };
}

/** Their IDs. @throws "Device Invalid", "Device Not Found", "Body Parameters Invalid" for one that the scene does not set */
function devicesOf(references: HomeReferences, { writes }: StoredScene, named: readonly string[]): Set<string> {
  const devices = named.map((text) => references.device(text));
  const strange = devices.findIndex(({ stored }) => !writes.some(({ device }) => device === stored.edgeId));
  if (strange >= 0) throw bodyInvalid([{ pointer: `/only/${strange}`, message: "is no device that the scene sets" }]);
  return new Set(devices.map(({ id }) => id));
}

/** `only` of a body. @throws "Body Parameters Invalid" */
function readOnly(body: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { only, ...more } = body;
  const unknown = Object.keys(more).map((name) => ({ pointer: `/${name}`, message: "is not known here" }));
  if (unknown.length > 0) throw bodyInvalid(unknown);
  if (only === undefined) return undefined;
  const isList = Array.isArray(only) && only.length > 0 && only.length <= MOST_ONLY;
  if (isList && only.every((each): each is string => typeof each === "string" && each !== "")) return only;
  throw bodyInvalid([{ pointer: "/only", message: `must be a list of 1 to ${MOST_ONLY} IDs or references` }]);
}
