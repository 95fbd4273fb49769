/** Plans of scenes over the environments in memory: what each writes now, and which hub stores it. */
import { devicesWithinZone } from "../access/index.ts";
import type { Devices, EnvironmentState } from "../devices/index.ts";
import type { Store } from "../store/index.ts";
import { hubOf, planScene, type ScenePlan, type ZoneDevices, zonesOf } from "./scene-plan.ts";
import type { ShownScene } from "./scene-resource.ts";
import type { SceneContents, SceneSnapshot } from "./scene-rows.ts";

export interface PlansDeps {
  readonly store: Store;
  readonly devices: Pick<Devices, "environment">;
}

export interface PlannedScene {
  readonly environment: EnvironmentState;
  readonly plan: ScenePlan;
  /** The hub that stores it. */
  readonly hubId: string | undefined;
}

/** @param meta as it is stored */
export type ToPlan = Pick<SceneContents, "items"> & {
  readonly ecosystem_id: string;
  readonly environment_id: string | null;
  readonly meta: string;
};

/** Of one scene. @throws "Service Unavailable" */
export async function planOf(deps: PlansDeps, scene: ToPlan): Promise<PlannedScene> {
  return planWith(deps, scene, new Map());
}

/** Several scenes as they are shown. */
export async function shownOf(deps: PlansDeps, scenes: readonly SceneSnapshot[]): Promise<ShownScene[]> {
  const zones = new Map<string, readonly string[]>();
  const shown: ShownScene[] = [];
  for (const scene of scenes) shown.push({ ...scene, hubId: (await planWith(deps, scene, zones)).hubId });
  return shown;
}

/** @param known what zones have been found to hold, and are found to hold */
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
