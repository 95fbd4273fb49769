/** Resolves the targets of scene items against the home: its devices, its zones and their services. Pure. */
import type { PropertyDescriptor, SceneItem, ServiceDescriptor } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { environmentServicesQuery, type ServicesByDevice } from "../../data/services.ts";
import type { Asked } from "../../kit/display/query-view.tsx";
import { useApi } from "../../session/context.tsx";
import { devicesWithin, type Forest, useForest } from "../zones/forest.ts";

export interface SceneHome {
  readonly forest: Forest;
  readonly services: ServicesByDevice;
}

/** A property that an item sets, with its descriptor. */
interface Described {
  readonly service: ServiceDescriptor;
  readonly descriptor: PropertyDescriptor;
}

const SELECTOR = /^([^:.]+)(?::([^.]+))?\.(.+)$/;

/** The devices that a target stands for: one device, or all devices within a zone. */
function devicesOf({ forest }: SceneHome, target: string): readonly string[] {
  if (forest.zones.has(target)) return [...devicesWithin(forest, target)];
  return forest.devices.has(target) ? [target] : [];
}

/**
 * The descriptor of a target's property. For a zone it merges the descriptors of all devices with the property, preferring settable ones;
 * undefined when no device has it.
 */
export function describedBy(
  home: SceneHome,
  { target, service }: Pick<SceneItem, "target" | "service">,
): Described | undefined {
  if (!home.forest.zones.has(target)) return propertyOf(home.services.get(target)?.items ?? [], service);
  const found = devicesOf(home, target).flatMap((id) => propertiesOf(home.services.get(id)?.items ?? [], service));
  const settable = found.filter(isSettable);
  const [first, ...rest] = settable.length > 0 ? settable : found;
  return first && { service: first.service, descriptor: commonOf(first.descriptor, rest.map(descriptorOf)) };
}

const isSettable = ({ descriptor }: Described) => descriptor.access.includes("write");
const descriptorOf = ({ descriptor }: Described) => descriptor;

/** All properties of one device that match a selector; without an index the selector matches every instance of the class. */
function propertiesOf(services: readonly ServiceDescriptor[], selector: string): readonly Described[] {
  const [, name, index, property] = SELECTOR.exec(selector) ?? [];
  return services
    .filter((each) => each.service === name && (index ?? each.index) === each.index)
    .flatMap((service) => {
      const descriptor = service.properties.find((each) => each.property === property);
      return descriptor ? [{ service, descriptor }] : [];
    });
}

/** One property of one device that an item sets. */
interface SceneWrite extends Described {
  readonly deviceId: string;
  /** Device and property: items with the same key set the same property. */
  readonly key: string;
}

/** The writes of an item at this moment. For a zone: every settable match on each of its devices (A13.1). */
export function writesOf(home: SceneHome, { target, service }: Pick<SceneItem, "target" | "service">) {
  const isZone = home.forest.zones.has(target);
  return devicesOf(home, target).flatMap((deviceId): SceneWrite[] => {
    const services = home.services.get(deviceId)?.items ?? [];
    const one = isZone ? undefined : propertyOf(services, service);
    const found = isZone ? propertiesOf(services, service).filter(isSettable) : one ? [one] : [];
    return found.map((each) => ({
      ...each,
      deviceId,
      key: `${deviceId} ${each.service.service}:${each.service.index}.${each.descriptor.property}`,
    }));
  });
}

/** @param selector `Service[:INDEX].property` */
export function propertyOf(services: readonly ServiceDescriptor[], selector: string): Described | undefined {
  const [, name, index, property] = SELECTOR.exec(selector) ?? [];
  const service = services.find((each) => each.service === name && (index ?? each.index) === each.index);
  const descriptor = service?.properties.find((each) => each.property === property);
  return service && descriptor && { service, descriptor };
}

/** Class and property of a selector, without the index; undefined for an invalid selector. */
export function selectedBy(selector: string): { readonly service: string; readonly property: string } | undefined {
  const [, service, , property] = SELECTOR.exec(selector) ?? [];
  return service === undefined || property === undefined ? undefined : { service, property };
}

/** The hub that holds every device of the items, if there is exactly one: that hub can run the scene by itself. */
export function hubOf(home: SceneHome, items: readonly Pick<SceneItem, "target" | "service">[]): HubOfScene {
  const set = new Set(items.flatMap((item) => devicesSet(home, item)));
  const hubs = new Set([...set].map((id) => home.forest.devices.get(id)?.clientId));
  const [hub] = hubs;
  if (hubs.size === 1 && hub !== undefined) return { kind: "one", hubId: hub };
  if (hubs.size === 0) return { kind: "none" };
  return hubs.has(undefined) ? { kind: "virtual" } : { kind: "several", count: hubs.size };
}

export type HubOfScene =
  | { readonly kind: "one"; readonly hubId: string }
  /** None of its devices exists. */
  | { readonly kind: "none" }
  /** It sets a device that has no hub. */
  | { readonly kind: "virtual" }
  | { readonly kind: "several"; readonly count: number };

function devicesSet(home: SceneHome, { target, service }: Pick<SceneItem, "target" | "service">): readonly string[] {
  if (!home.forest.zones.has(target)) return devicesOf(home, target);
  return [...new Set(writesOf(home, { target, service }).map(({ deviceId }) => deviceId))];
}

/**
 * Limits the first device's descriptor by those of all devices, so that the editor offers a value that every device accepts. When the
 * limits exclude each other, those of the first remain, because no value suits all. `value` is present when all devices have the same one.
 * Pure.
 * @param all at least one is first
 */
export function commonOf(first: PropertyDescriptor, rest: readonly PropertyDescriptor[]): PropertyDescriptor {
  const all = [first, ...rest.filter(({ type }) => type === first.type)];
  const { min, max, step, values, value, ...own } = first;
  const isSame = [...all, ...rest].every((each) => JSON.stringify(each.value) === JSON.stringify(value));
  const range = rangeOf(all);
  return {
    ...own,
    ...(range.isWhole ? defined({ min: range.min, max: range.max }) : defined({ min, max })),
    ...defined({ step: all.every((each) => each.step === step) ? step : undefined }),
    ...defined({ values: valuesOf(all) ?? values }),
    ...defined({ value: isSame ? value : undefined }),
  };
}

function rangeOf(all: readonly PropertyDescriptor[]) {
  const [least, most] = [all.flatMap(({ min }) => min ?? []), all.flatMap(({ max }) => max ?? [])];
  const min = least.length > 0 ? Math.max(...least) : undefined;
  const max = most.length > 0 ? Math.min(...most) : undefined;
  return { min, max, isWhole: min === undefined || max === undefined || min < max };
}

/** The values that every list contains; undefined when there are no lists or no common values. */
function valuesOf(all: readonly PropertyDescriptor[]): PropertyDescriptor["values"] {
  const lists = all.flatMap(({ values }) => (values && values.length > 0 ? [values] : []));
  const [first, ...rest] = lists;
  const common = first?.filter((each) => rest.every((list) => list.some((other) => other === each)));
  return common && common.length > 0 ? common : undefined;
}

/** Drops undefined entries, so that an absent limit has no key. */
function defined<T extends object>(given: T): Partial<T> {
  return Object.fromEntries(Object.entries(given).filter(([, each]) => each !== undefined)) as Partial<T>;
}

/** Combines the three queries of a scene's home, because a scene needs all of them. */
export function useSceneHome(environmentId: string): Asked<SceneHome> {
  const forest = useForest(environmentId);
  const services = useQuery(environmentServicesQuery(useApi(), environmentId));
  const [known, values] = [forest.data, services.data];
  const data = useMemo(() => known && values && { forest: known, services: values }, [known, values]);
  const error = forest.error ?? services.error;
  return {
    ...{ data, error, isPending: !error && data === undefined },
    refetch: () => Promise.all([forest.refetch(), services.refetch()]),
  };
}
