/**
 * Calls a scene at home: a PUT for each of its writes, all at once, with one entry for each in the answer (A4, A9).
 *
 * Invariants: under one idempotency key no write is executed twice; a key that cannot be used is refused before anything is sent.
 */
import { createHash } from "node:crypto";
import type { SceneResult, SceneWrite, WriteFailure } from "@porchlight/shared/api";
import { BoundedMap, type IdMaker, idOfDigest, isNamed, type Log, NamedError } from "@porchlight/shared/kernel";
import { addressKey } from "@porchlight/shared/model";
import { lastKnownOf } from "@porchlight/shared/rest";
import type { StoredScene } from "@porchlight/shared/tunnel";
import type { HomeView } from "./home-view.ts";
import type { WriteKey } from "./repeats.ts";
import type { HomeWrites, WriteRequest } from "./write-property.ts";

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

export interface CallRequest {
  readonly scene: StoredScene;
  /** IDs of the selected devices; undefined: all devices of the scene. */
  readonly only?: ReadonlySet<string> | undefined;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  readonly key: WriteKey | undefined;
}

export interface Called {
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
export async function callScene(deps: CallSceneDeps, request: CallRequest): Promise<Called> {
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
