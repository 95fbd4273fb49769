/**
 * Tells each hub the scenes that it stores: those that set devices of this hub alone. Its digest stands for what each of them means, so that a
 * zone with another device in it is told as the scene itself would be.
 */
import { createHash } from "node:crypto";
import type { SceneTrigger } from "@porchlight/shared/api";
import { parseSelector } from "@porchlight/shared/model";
import { frames, type Scenes as SceneList, type StoredScene } from "@porchlight/shared/tunnel";
import type { EnvironmentState, HubSubject } from "../devices/index.ts";
import { pageOfObjects, readHome } from "../places/index.ts";
import type { Hub, HubTunnel } from "../tunnels/index.ts";
import { type PlannedScene, type PlansDeps, planOf } from "./plans.ts";
import { readSceneContents, type SceneSnapshot } from "./scene-rows.ts";

/** Scenes read at once. */
const AT_ONCE = 100;

export class HubScenes implements HubSubject {
  readonly name = "scenes";
  readonly #deps: PlansDeps;

  constructor(deps: PlansDeps) {
    this.#deps = deps;
  }

  digestOf({ scenesDigest }: HubTunnel): string | undefined {
    return scenesDigest;
  }

  async tell(tunnel: HubTunnel, digest: string): Promise<string> {
    const scenes = await this.#scenesOf(tunnel.hub);
    // A hub that has none need not be told that there are none.
    if (scenes.length === 0 && digest === "") return digest;
    const list = await this.#listOf(tunnel.hub, scenes);
    if (list.digest === digest) return digest;
    const wanted = new Set(await tunnel.scenes(list));
    for (const scene of scenes) if (wanted.has(scene.id)) await tunnel.scene(scene);
    return list.digest;
  }

  async #listOf({ ecosystemId, environmentId }: Hub, scenes: readonly StoredScene[]): Promise<SceneList> {
    const home = await readHome(this.#deps.store.of(ecosystemId).sql, ecosystemId, environmentId);
    const list = { ecosystemId, environmentId, ...home, scenes: scenes.map(({ id, digest }) => ({ id, digest })) };
    return { digest: digestOf(list), ...list };
  }

  async #scenesOf({ ecosystemId: eco, environmentId, clientId }: Hub): Promise<StoredScene[]> {
    const { store } = this.#deps;
    const stored: StoredScene[] = [];
    let after = "";
    for (;;) {
      const places = [{ eco, place: environmentId }];
      const rows = await pageOfObjects(store, "scn", places, { after, limit: AT_ONCE });
      const scenes = await readSceneContents(store.of(eco).sql, eco, rows, frames.MOST_SCENE_WRITES * AT_ONCE);
      for (const scene of scenes) {
        const planned = await planOf(this.#deps, scene);
        if (planned.hubId === clientId) stored.push(storedScene(scene, planned));
        if (stored.length === frames.MOST_HUB_SCENES) return stored;
      }
      const last = rows.at(-1);
      if (!last || rows.length < AT_ONCE) return stored;
      after = last.id;
    }
  }
}

function storedScene(scene: SceneSnapshot, { environment, plan }: PlannedScene): StoredScene {
  const stored = {
    id: scene.id,
    ...(scene.alias !== null && { alias: scene.alias }),
    meta: scene.meta,
    createdAt: scene.created_at,
    items: [...scene.items],
    triggers: scene.triggers.flatMap((trigger) => storedTrigger(environment, trigger) ?? []),
    writes: plan.writes.flatMap(({ deviceId, address, value }) => {
      const device = environment.device(deviceId)?.edgeId;
      return device ? [{ device, ...address, value }] : [];
    }),
  };
  return { ...stored, digest: digestOf(stored) };
}

/** As the hub knows the device; undefined of one that is not on a hub any more. */
function storedTrigger(
  environment: EnvironmentState,
  trigger: SceneTrigger,
): StoredScene["triggers"][number] | undefined {
  if (trigger.kind !== "event") return trigger;
  const { deviceId, value } = trigger;
  const device = environment.device(deviceId);
  const selector = parseSelector(trigger.service);
  if (!device?.edgeId || selector?.property === undefined) return undefined;
  const { service, property } = selector;
  const index = selector.index ?? device.described.byService.get(service)?.[0]?.index ?? "0";
  return { kind: "event", device: device.edgeId, service, index, property, deviceId, value };
}

function digestOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url");
}
