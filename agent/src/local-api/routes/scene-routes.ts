/** The routes at home of the hub's scenes: list, show, call. Scenes are created and changed in the cloud. */

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Page } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { bodyInvalid, hasAlready, PAGING, preferenceApplied, readPageSize, readPrefer } from "@porchlight/shared/rest";
import type { StoredScene } from "@porchlight/shared/tunnel";
import type { HomeAnswer, HomeCall, HomeRoute } from "../home-call.ts";
import { type CallSceneDeps, callScene } from "./call-scene.ts";
import type { HomeReferences, HomeScenes } from "./references.ts";
import type { WriteKey } from "./repeats.ts";

export interface SceneRouteDeps {
  readonly scenes: HomeScenes;
  readonly references: HomeReferences;
  readonly pages: HomePages;
  readonly calls: CallSceneDeps;
  /** @throws "Idempotency Key Invalid" */
  readonly keyOf: (call: HomeCall) => WriteKey | undefined;
  /** Checks that the hub may control devices. @throws "Service Unavailable" */
  readonly requireTouch: () => void;
}

const SCENES = "/api/scenes";
/** Maximum devices that one call names. */
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
        // The cloud's digest as the tag: it differs from the tag in the cloud, where the scene can be changed.
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

/**
 * Throws "Body Parameters Invalid", "Device Invalid", "Device Not Found", "Scene Invalid", "Scene Not Found", and the errors of the call.
 */
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

/**
 * The IDs of the devices.
 * @throws "Device Invalid", "Device Not Found", "Body Parameters Invalid" for a device that the scene does not set
 */
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

/** The scope of a continuation token: the caller and its query. */
interface PageQuery {
  readonly tokenId: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** A requested page. */
interface AskedPage {
  /** The page begins after this ID, or at another sealed place; "" at the start. */
  readonly after: string;
  readonly size: number;
  /** The scope of its continuation token. */
  readonly purpose: string;
}

const MAC_LENGTH = 16;

/** Pages of the hub's collections, by key as everywhere (A1.6); a continuation token is sealed with the hub's own key. */
export class HomePages {
  readonly #key: Uint8Array;

  /** @param key constant over restarts of the hub, and known to the hub only */
  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @param readSize for a collection with another page size @throws "Page Size Invalid", "Continuation Token Invalid" */
  read({ tokenId, path, query }: PageQuery, readSize = readPageSize): AskedPage {
    const { pageSize, continuationToken, ...filters } = query;
    const size = readSize(pageSize);
    const purpose = JSON.stringify([tokenId, path, Object.entries(filters).sort()]);
    const after = continuationToken === undefined ? "" : this.#open(purpose, continuationToken);
    if (after === undefined) throw new NamedError("Continuation Token Invalid");
    return { after, size, purpose };
  }

  /** @param all ordered by ID */
  page<T extends { readonly id: string }>({ after, size, purpose }: AskedPage, all: readonly T[]): Page<T> {
    const rest = all.filter(({ id }) => id > after);
    const items = rest.slice(0, size);
    const last = items.at(-1);
    if (rest.length <= size || !last) return { items };
    return { items, continuationToken: this.token({ purpose }, last.id) };
  }

  /** The token of the next page. @param after the place where that page begins, as `read` returns it */
  token({ purpose }: Pick<AskedPage, "purpose">, after: string): string {
    return Buffer.concat([this.#mac(purpose, after), Buffer.from(after)]).toString("base64url");
  }

  #open(purpose: string, token: string): string | undefined {
    const bytes = Buffer.from(token, "base64url");
    // Base64 has several spellings of some bytes: only the canonical one is accepted.
    if (bytes.length <= MAC_LENGTH || bytes.toString("base64url") !== token) return undefined;
    const after = bytes.subarray(MAC_LENGTH).toString();
    return timingSafeEqual(bytes.subarray(0, MAC_LENGTH), this.#mac(purpose, after)) ? after : undefined;
  }

  #mac(purpose: string, after: string): Buffer {
    const sealed = createHmac("sha256", this.#key)
      .update(JSON.stringify([purpose, after]))
      .digest();
    return sealed.subarray(0, MAC_LENGTH);
  }
}
