/**
 * Sends each hub the scenes that it stores: those that set only its own devices. A scene's digest covers its planned
 * writes, so that another device in a zone is sent like a change of the scene itself.
 */
import { createHash } from "node:crypto";
import { formatTime, type Scene, type SceneTrigger } from "@porchlight/shared/api";
import { parseSelector } from "@porchlight/shared/model";
import { frames, type Scenes as SceneList, type StoredScene } from "@porchlight/shared/tunnel";
import { DEFAULT_META_PREFIX, devicesWithinZone, showMeta } from "../access/index.ts";
import type { Devices, EnvironmentState, HubSubject } from "../devices/index.ts";
import { pageOfObjects, readHome } from "../places/index.ts";
import type { Store } from "../store/index.ts";
import type { Hub, HubTunnel } from "../tunnels/index.ts";
import { hubOf, planScene, type ScenePlan, type ZoneDevices, zonesOf } from "./scene-plan.ts";
import { readSceneContents, type SceneContents, type SceneSnapshot } from "./scene-rows.ts";

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
    // A hub without scenes needs no message that there are none.
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

/** The trigger with the hub's edgeId of its device; undefined when the device is no longer on a hub. */
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

/** Plans scenes over the environments in memory: the current writes of each, and the hub that stores it. */
export interface PlansDeps {
  readonly store: Store;
  readonly devices: Pick<Devices, "environment">;
}

interface PlannedScene {
  readonly environment: EnvironmentState;
  readonly plan: ScenePlan;
  /** The hub that stores the scene. */
  readonly hubId: string | undefined;
}

/** @param meta the stored text */
type ToPlan = Pick<SceneContents, "items"> & {
  readonly ecosystem_id: string;
  readonly environment_id: string | null;
  readonly meta: string;
};

/** Plans one scene. @throws "Service Unavailable" */
export async function planOf(deps: PlansDeps, scene: ToPlan): Promise<PlannedScene> {
  return planWith(deps, scene, new Map());
}

/** Plans several scenes, as the API shows them. */
export async function shownOf(deps: PlansDeps, scenes: readonly SceneSnapshot[]): Promise<ShownScene[]> {
  const zones = new Map<string, readonly string[]>();
  const shown: ShownScene[] = [];
  for (const scene of scenes) shown.push({ ...scene, hubId: (await planWith(deps, scene, zones)).hubId });
  return shown;
}

/** @param known contents of zones found so far; the function adds to it */
async function planWith(
  { store, devices }: PlansDeps,
  scene: ToPlan,
  known: Map<string, readonly string[]>,
): Promise<PlannedScene> {
  const { ecosystem_id: eco, environment_id: env, items } = scene;
  const environment = await devices.environment(eco, env ?? "");
  for (const zone of zonesOf(items))
    if (!known.has(zone)) known.set(zone, await devicesWithinZone(store.of(eco).sql, eco, zone));
  const plan = planScene(environment, items, known satisfies ZoneDevices);
  return { environment, plan, hubId: hubOf(environment, plan, scene) };
}

/** A scene, and the hub that stores it. */
export type ShownScene = SceneSnapshot & { readonly hubId?: string | undefined };

export function sceneResource(scene: ShownScene, prefix = DEFAULT_META_PREFIX): Scene {
  return {
    id: scene.id,
    ecosystemId: scene.ecosystem_id,
    environmentId: scene.environment_id ?? "",
    ...(scene.alias !== null && { alias: scene.alias }),
    meta: showMeta(scene.meta, prefix),
    items: [...scene.items],
    triggers: [...scene.triggers],
    ...(scene.hubId !== undefined && { hubId: scene.hubId }),
    createdAt: formatTime(scene.created_at),
  };
}
