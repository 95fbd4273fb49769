/**
 * The routes of scenes at home, and the call of one: a PUT for each of its writes, all at once, with one entry for each in the answer (A4,
 * A9).
 *
 * Invariants: under one idempotency key no write is executed twice; a key that cannot be used is refused before anything is sent.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Page, SceneResult, SceneWrite, WriteFailure } from "@porchlight/shared/api";
import { BoundedMap, type IdMaker, idOfDigest, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import { addressKey } from "@porchlight/shared/model";
import {
  bodyInvalid,
  hasAlready,
  lastKnownOf,
  PAGING,
  preferenceApplied,
  readPageSize,
  readPrefer,
} from "@porchlight/shared/rest";
import type { StoredScene } from "@porchlight/shared/tunnel";
import type { HomeAnswer, HomeCall, HomeRoute } from "../home-call.ts";
import type { HomeView } from "./home-view.ts";
import type { HomeReferences, HomeScenes } from "./references.ts";
import type { WriteKey } from "./repeats.ts";
import type { HomeWrites, WriteRequest } from "./write-property.ts";

/**
 * Calls a scene at home: a PUT for each of its writes, all at once, with one entry for each in the answer (A4, A9).
 *
 * Invariants: under one idempotency key no write is executed twice; a key that cannot be used is refused before anything is sent.
 */
const MOST_KEYED = 1000;

/** The devices of calls with keys, by the ID of the call; lost with the process. */
export class KeyedCalls {
  readonly #asked = new BoundedMap<string, string>(MOST_KEYED);

  /** @throws "Idempotency Key Reused" when the call was for other devices */
  claim(commandId: string, only: ReadonlySet<string> | undefined): void {
    const asked = only ? [...only].sort().join() : "";
    if ((this.#asked.get(commandId) ?? asked) !== asked) throw new NamedError("Idempotency Key Reused");
    this.#asked.set(commandId, asked);
  }
}

export interface CallSceneDeps {
  readonly keyed: KeyedCalls;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly view: HomeView;
  readonly writes: Pick<HomeWrites, "set" | "requireFree">;
}

interface CallRequest {
  readonly scene: StoredScene;
  /** IDs of the selected devices; undefined: all devices of the scene. */
  readonly only?: ReadonlySet<string> | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly key: WriteKey | undefined;
}

interface Called {
  readonly result: SceneResult;
  /** All writes were executed by an earlier request. */
  readonly replayed: boolean;
}

interface SceneEntry {
  readonly item?: SceneWrite;
  readonly failure?: WriteFailure;
  readonly replayed: boolean;
}

/** @throws "Idempotency Key Reused", "Idempotency Key In Use" */
async function callScene(deps: CallSceneDeps, request: CallRequest): Promise<Called> {
  const { ids, writes } = deps;
  const commandId = request.key ? commandOf(request.key) : ids.next("cmd");
  if (request.key) deps.keyed.claim(commandId, request.only);
  const requests = requestsOf(deps, request);
  writes.requireFree(requests);
  const entries = await Promise.all(requests.map((each) => setOne(deps, each)));
  const items = entries.flatMap(({ item }) => item ?? []);
  const failures = entries.flatMap(({ failure }) => failure ?? []);
  const replayed = entries.length > 0 && entries.every((entry) => entry.replayed);
  return { result: { commandId, items, ...(failures.length > 0 && { failures }) }, replayed };
}

/** The write requests in the order of the scene. */
function requestsOf({ view, log }: CallSceneDeps, { scene, only, waitMs, key }: CallRequest): WriteRequest[] {
  const devices = new Map(view.devices().map((device) => [device.stored.edgeId, device]));
  return scene.writes.flatMap((write): WriteRequest[] => {
    const device = devices.get(write.device);
    if (!device) {
      log.warn({ scene: scene.id, device: write.device }, "a scene sets a device that has no name at home");
      return [];
    }
    if (only && !only.has(device.id)) return [];
    const selector = addressKey(write);
    const own = key && { ...key, path: `${key.path} ${write.device} ${selector}` };
    const { id } = scene;
    return [{ device, selector, value: write.value, report: false, waitMs, key: own, scene: { id, by: "api" } }];
  });
}

async function setOne({ view, writes }: CallSceneDeps, request: WriteRequest): Promise<SceneEntry> {
  try {
    const { item, commandId, replayed } = await writes.set(request);
    return { item: { ...item, commandId }, replayed };
  } catch (error) {
    if (!isNamed(error)) throw error;
    const failure = failureOf(view, request, error);
    return { failure, replayed: error.headers?.["idempotent-replayed"] === "true" };
  }
}

/** The entry of a failed write. A refusal without an outcome preceded the command, so it has no command ID. */
function failureOf(view: HomeView, { device, selector }: WriteRequest, error: NamedError): WriteFailure {
  const [service = "", index = "", property = ""] = selector.split(/[:.]/);
  const described = device.described.byKey.get(selector);
  const known = described && view.item({ device, property: described });
  const commandId = error.outcome && error.headers?.["x-command-id"];
  const code = error.members?.code;
  return {
    ...{ deviceId: device.id, service, index, property },
    name: error.name,
    detail: error.message,
    outcome: error.outcome === undefined || error.outcome === "confirmed" ? "not_sent" : error.outcome,
    ...(typeof code === "number" && { code }),
    ...(commandId !== undefined && { commandId }),
    ...(known && { lastKnown: lastKnownOf(known) }),
  };
}

function commandOf({ key, tokenId, path }: WriteKey): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([tokenId, path, key, "scene"]))
    .digest();
  return idOfDigest("cmd", digest);
}

interface SceneRouteDeps {
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
