/** What is so now, as the items of a scene: every value that is known and could be set again. */
import type { SceneItem } from "@porchlight/shared/api";
import { type Value, valueProblem } from "@porchlight/shared/model";
import { sceneItemInvalid } from "@porchlight/shared/rest";
import type { EnvironmentState } from "../devices/index.ts";
import { requireRoom } from "./scene-items.ts";

/** What a device does for a moment, to be found, is no state of a home. */
const PASSING = new Set(["Identify"]);

/** @param devices IDs of those whose values are taken; undefined: all @throws "Scene Item Invalid" when there are none, or too many */
export function captureItems(environment: EnvironmentState, devices: readonly string[] | undefined): SceneItem[] {
  const ids = devices ?? environment.devices().map(({ id }) => id);
  const items = ids.flatMap((target) => itemsOf(environment, target));
  if (items.length === 0) throw sceneItemInvalid("None of the devices has a known value that can be set.");
  requireRoom(items);
  return items;
}

function itemsOf(environment: EnvironmentState, target: string): SceneItem[] {
  const properties = [...(environment.device(target)?.described.byKey.values() ?? [])];
  return properties.flatMap((property) => {
    if (!property.writable || !property.readable || PASSING.has(property.service)) return [];
    const item = environment.item(target, property);
    if (!item || valueProblem(property.description, item.value as Value) !== undefined) return [];
    return [{ target, service: property.key, value: item.value }];
  });
}
