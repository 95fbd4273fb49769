/** The scenes of a room or zone: each can be shown, by its name. */

import type { Read } from "@porchlight/driver-kit";
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import { type Reference, type Resource, referenceAt, textAt } from "../resources/resource.ts";

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

// A device behind a bridge in terms of the bridge's API: what it is, which resource says each property, and what is sent to set one.

/** A `PUT` that sets a property. */
export interface Setting {
  readonly body: object;
  /** The resource that takes it; left out where it is the one that says the value. */
  readonly to?: Reference | undefined;
  /** Whether that resource says that it has been done; left out where the value is what says it. */
  readonly isDone?: ((resource: Resource) => boolean | undefined) | undefined;
}

export interface HueProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** The resource that says its value. */
  readonly of: Reference;
  /**
   * The value that a resource says; undefined when it says nothing of it, `null` when it says that there is none. Of a property that only
   * notifies, the fields that have changed are handed in; of every other one, the whole resource.
   */
  readonly read: (resource: Resource) => Read<Value>;
  /** Whether an update of the resource says anything of the value; left out of a property that only notifies. */
  readonly says?: ((update: Resource) => boolean) | undefined;
  /** Left out where it cannot be set. @throws Error when it cannot be set now, for people */
  readonly set?: ((value: Value, now: Resource) => Setting) | undefined;
  /** How far a number may be from the one that was set and still confirm it. */
  readonly tolerance?: number | undefined;
}

export interface HueDevice {
  readonly edgeId: string;
  /** What the bridge calls it for ever, where its edgeId is not its own: it is kept with the edgeId that it was first told under. */
  readonly identity?: string | undefined;
  readonly about: DeviceAbout;
  readonly properties: readonly HueProperty[];
  /** The resource that says whether it can be reached; left out: whenever the bridge can. */
  readonly connectivity?: string | undefined;
  /** The device, where the bridge can make it show itself. */
  readonly identify?: Reference | undefined;
  /** Types of services of it, and parts of lamps, that are left aside, each with how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Whether the bridge can reach a device, by its resource `zigbee_connectivity`. */
export function isReached(connectivity: Resource | undefined): boolean {
  // A device that only sends, such as a switch without a battery, is there as much as it ever is.
  return connectivity === undefined || ["connected", "unidirectional_incoming"].includes(String(connectivity.status));
}
