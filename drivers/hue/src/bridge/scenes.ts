/** Scenes of a room or zone, which can be activated by name. */
import type { Read } from "@porchlight/driver-kit";
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import { type Reference, type Resource, referenceAt, textAt } from "./resource.ts";

/** Limits of a description: number of names, and length of each. */
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

/** Undefined for an older bridge, which does not report the state. */
function isShown(scene: Resource): boolean | undefined {
  const state = scene.type === "smart_scene" ? textAt(scene, "state") : textAt(scene, "status.active");
  return state === undefined ? undefined : state !== "inactive";
}

/** Gives each scene a unique name, independent of the order of the bridge's list. */
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

/** A `PUT` request that sets a property. */
export interface Setting {
  readonly body: object;
  /** The resource that receives the request; defaults to the one with the value. */
  readonly to?: Reference | undefined;
  /** Whether that resource confirms the change; left out where the value itself confirms it. */
  readonly isDone?: ((resource: Resource) => boolean | undefined) | undefined;
}

export interface HueProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** The resource that contains the value. */
  readonly of: Reference;
  /**
   * Reads the value from a resource; undefined when it is not contained, `null` when there is none. A property that only notifies gets
   * the changed fields, every other one the whole resource.
   */
  readonly read: (resource: Resource) => Read<Value>;
  /** Whether an update of the resource contains the value; left out of a property that only notifies. */
  readonly says?: ((update: Resource) => boolean) | undefined;
  /** Left out for a read-only property. @throws Error with a message for people when it cannot be set now */
  readonly set?: ((value: Value, now: Resource) => Setting) | undefined;
  /** How far a reported number may differ from the set one and still confirm it. */
  readonly tolerance?: number | undefined;
}

export interface HueDevice {
  readonly edgeId: string;
  /**
   * The bridge's permanent ID of the device, for a device without an edgeId of its own; it is stored with the first edgeId that was
   * announced.
   */
  readonly identity?: string | undefined;
  readonly about: DeviceAbout;
  readonly properties: readonly HueProperty[];
  /** The resource with the device's reachability; left out when the device is reachable whenever the bridge is. */
  readonly connectivity?: string | undefined;
  /** The device, if the bridge can make it identify itself. */
  readonly identify?: Reference | undefined;
  /** Number of undescribed services and lamp features, by type. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Whether the bridge can reach a device, according to its resource `zigbee_connectivity`. */
export function isReached(connectivity: Resource | undefined): boolean {
  // A device that only sends, such as a switch without a battery, counts as reached.
  return connectivity === undefined || ["connected", "unidirectional_incoming"].includes(String(connectivity.status));
}
