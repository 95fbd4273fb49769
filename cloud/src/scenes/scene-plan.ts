/** The current writes of a scene: pure, because the cloud, a hub and a user must get the same. */
import type { SceneItem, WriteFailure } from "@porchlight/shared/api";
import { idPrefix, isNamed, NamedError } from "@porchlight/shared/kernel";
import { type DescribedProperty, parseSelector, type Value, valueProblem } from "@porchlight/shared/model";
import { checkWrite } from "@porchlight/shared/rest";
import { frames } from "@porchlight/shared/tunnel";
import { type EnvironmentState, type PlannedWrite, writeFailureOf } from "../devices/index.ts";

export interface ScenePlan {
  /** Each property at most once; in the order of the items. */
  readonly writes: readonly PlannedWrite[];
  /** The items that cannot be written, with the reason. */
  readonly refused: readonly WriteFailure[];
}

type Entry =
  | { readonly kind: "write"; readonly write: PlannedWrite }
  | { readonly kind: "refused"; readonly failure: WriteFailure };

/** IDs of the devices in each zone that a scene names. */
export type ZoneDevices = ReadonlyMap<string, readonly string[]>;

/** @param zones the devices within each zone among the items */
export function planScene(environment: EnvironmentState, items: readonly SceneItem[], zones: ZoneDevices): ScenePlan {
  const entries = new Map<string, Entry>();
  const put = (key: string, entry: Entry) => {
    // The later item replaces the earlier one, at its own place.
    entries.delete(key);
    entries.set(key, entry);
  };
  for (const item of items) {
    if (idPrefix(item.target) === "zon") planZone(environment, item, zones.get(item.target) ?? [], put);
    else planDevice(environment, item, put);
  }
  const all = [...entries.values()];
  return {
    writes: all.flatMap((entry) => (entry.kind === "write" ? [entry.write] : [])),
    refused: all.flatMap((entry) => (entry.kind === "refused" ? [entry.failure] : [])),
  };
}

/** The zones among the items. */
export function zonesOf(items: readonly SceneItem[]): readonly string[] {
  return [...new Set(items.map(({ target }) => target).filter((target) => idPrefix(target) === "zon"))];
}

/**
 * The hub of all devices that a scene writes to, if there is only one: that hub stores the scene.
 * @param scene the part that the hub has to store besides the writes
 */
export function hubOf(
  environment: EnvironmentState,
  { writes }: ScenePlan,
  scene: { readonly meta: string; readonly items: readonly SceneItem[] },
): string | undefined {
  const hubs = new Set(writes.map(({ deviceId }) => environment.device(deviceId)?.clientId ?? null));
  const [hub] = hubs;
  if (hubs.size !== 1 || typeof hub !== "string" || writes.length > frames.MOST_SCENE_WRITES) return undefined;
  const stored = JSON.stringify([scene.meta, scene.items, writes]).length;
  return stored <= frames.MOST_STORED_SCENE ? hub : undefined;
}

type Put = (key: string, entry: Entry) => void;

function planDevice(environment: EnvironmentState, { target: deviceId, service, value }: SceneItem, put: Put): void {
  const selector = parseSelector(service);
  const address = {
    service: selector?.service ?? service,
    index: selector?.index ?? "0",
    property: selector?.property ?? "",
  };
  try {
    const device = environment.device(deviceId);
    if (!device) throw new NamedError("Device Not Found");
    const property = checkWrite(device.described, service, value as Value);
    put(`${deviceId} ${property.key}`, { kind: "write", write: { deviceId, address: addressOf(property), value } });
  } catch (error) {
    if (!isNamed(error)) throw error;
    const failure = writeFailureOf(environment, deviceId, address, error);
    put(`${deviceId} ${address.service}:${address.index}.${address.property}`, { kind: "refused", failure });
  }
}

/** A zone covers every device in it that has the property, as a PUT of the zone does. */
function planZone(
  environment: EnvironmentState,
  { service, value }: SceneItem,
  devices: readonly string[],
  put: Put,
): void {
  const selector = parseSelector(service);
  if (!selector) return;
  for (const { device, property } of environment.select(selector, devices)) {
    const refusal = refusalOf(property, value as Value);
    const key = `${device.id} ${property.key}`;
    if (refusal) put(key, { kind: "refused", failure: writeFailureOf(environment, device.id, property, refusal) });
    else put(key, { kind: "write", write: { deviceId: device.id, address: addressOf(property), value } });
  }
}

function refusalOf(property: DescribedProperty, value: Value): NamedError | undefined {
  if (!property.writable) return new NamedError("Property Not Writable", `${property.key} can be read but not set.`);
  const problem = valueProblem(property.description, value);
  return problem === undefined ? undefined : new NamedError("Property Value Invalid", problem);
}

function addressOf({ service, index, property }: DescribedProperty) {
  return { service, index, property };
}
