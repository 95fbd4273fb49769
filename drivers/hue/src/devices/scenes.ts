/** The scenes of a room or zone: each can be shown, by its name. */
import type { PropertyDescription, Value } from "@porchlight/shared/model";
import { type Reference, type Resource, referenceAt, textAt } from "../resources/resource.ts";
import type { HueProperty } from "./hue-device.ts";

/** Names that a description has room for, and how long each may be. */
const MOST = 100;
const LONGEST_NAME = 60;

/** @param group the room or zone @param all every scene of the bridge, in its order */
export function sceneProperties(group: Reference, all: readonly Resource[]): HueProperty[] {
  const scenes = scenesOf(group.rid, all);
  if (scenes.size === 0) return [];
  const description: PropertyDescription = {
    ...{ property: "show", type: "string", values: [...scenes.keys()], access: ["write"] },
  };
  const set = (name: Value) => {
    const scene = scenes.get(String(name));
    if (!scene) throw new Error("The room has no such scene any more.");
    const to = { rid: scene.id, rtype: scene.type };
    const body = { recall: { action: scene.type === "smart_scene" ? "activate" : "active" } };
    return { body, to, isDone: isShown };
  };
  const address = { service: "Scenes", index: "0", property: "show" };
  return [{ address, description, of: group, read: () => undefined, set }];
}

/** Undefined of an older bridge, which does not say it. */
function isShown(scene: Resource): boolean | undefined {
  const state = scene.type === "smart_scene" ? textAt(scene, "state") : textAt(scene, "status.active");
  return state === undefined ? undefined : state !== "inactive";
}

/** Each under a name of its own, which does not depend on the order in which the bridge lists them. */
function scenesOf(group: string, all: readonly Resource[]): ReadonlyMap<string, Resource> {
  const scenes = new Map<string, Resource>();
  for (const scene of all.toSorted(byTypeAndId)) {
    if (referenceAt(scene, "group")?.rid !== group || scenes.size >= MOST) continue;
    const name = (textAt(scene, "metadata.name") ?? "").trim().slice(0, LONGEST_NAME) || "Scene";
    let own = name;
    for (let count = 2; scenes.has(own); count++) own = `${name} ${count}`;
    scenes.set(own, scene);
  }
  return scenes;
}

function byTypeAndId(a: Resource, b: Resource): number {
  const [left, right] = [`${a.type} ${a.id}`, `${b.type} ${b.id}`];
  return left < right ? -1 : Number(left > right);
}
