/** Items of a scene: those for a whole zone with their initial values, and those that a later item overrides. Pure. */
import type { PropertyDescriptor, SceneItem, ServiceDescriptor } from "@porchlight/shared/api";
import { devicesWithin } from "../zones/forest.ts";
import { describedBy, propertyOf, type SceneHome, writesOf } from "./scene-home.ts";

/** A property that can be set on at least one device of a zone. */
interface ZoneProperty {
  /** `Service.property`: matches every instance. */
  readonly selector: string;
  /** The devices' merged descriptor. */
  readonly descriptor: PropertyDescriptor;
  readonly devices: number;
}

export function zoneProperties(home: SceneHome, zoneId: string): readonly ZoneProperty[] {
  const selectors = new Set(
    [...devicesWithin(home.forest, zoneId)].flatMap((id) =>
      (home.services.get(id)?.items ?? [])
        .filter(({ service }) => !PASSING.has(service))
        .flatMap(({ service, properties }) =>
          properties.flatMap(({ property, access }) => (access.includes("write") ? [`${service}.${property}`] : [])),
        ),
    ),
  );
  return [...selectors].flatMap((selector) => {
    const item = { target: zoneId, service: selector };
    const found = describedBy(home, item);
    const devices = new Set(writesOf(home, item).map(({ deviceId }) => deviceId)).size;
    return found ? [{ selector, descriptor: found.descriptor, devices }] : [];
  });
}

/** The initial value for a zone: the value that all devices share, else the value of one device, else the first allowed value. */
export function firstValue(
  home: SceneHome,
  zoneId: string,
  { selector, descriptor }: ZoneProperty,
): SceneItem["value"] {
  const { value, type, values, min } = descriptor;
  if (isKnown(value)) return value;
  for (const written of writesOf(home, { target: zoneId, service: selector }))
    if (isKnown(written.descriptor.value) && isAllowed(written.descriptor.value, descriptor))
      return written.descriptor.value;
  if (values?.[0] !== undefined) return values[0];
  switch (type) {
    case "boolean":
      return true;
    case "integer":
    case "number":
      return min ?? 0;
    case "string":
      return "";
    case "json":
      return {};
  }
}

function isKnown<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

function isAllowed(value: SceneItem["value"], { min, max, values, type }: PropertyDescriptor): boolean {
  if (values && values.length > 0) return values.some((each) => each === value);
  if (typeof value !== "number") return type !== "number" && type !== "integer";
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

/** Inserts the zone's item before the items of single devices, so that a device keeps its own value. */
export function withZone(
  home: SceneHome,
  items: readonly SceneItem[],
  more: readonly SceneItem[],
): readonly SceneItem[] {
  const at = items.findIndex(({ target }) => !home.forest.zones.has(target));
  return at === -1 ? [...items, ...more] : items.toSpliced(at, 0, ...more);
}

/** Services whose properties are momentary actions, not states: identifying a device. */
const PASSING: ReadonlySet<string> = new Set(["Identify"]);

/**
 * The current state as items of a scene: every known settable value, the same values that the service captures (A11). Pure.
 * @param devices IDs
 */
export function captured(home: SceneHome, devices: readonly string[]): readonly SceneItem[] {
  return devices.flatMap((target) => (home.services.get(target)?.items ?? []).flatMap((each) => itemsOf(target, each)));
}

function itemsOf(target: string, { service, index, properties }: ServiceDescriptor): readonly SceneItem[] {
  if (PASSING.has(service)) return [];
  return properties.flatMap(({ property, access, value }) => {
    if (!access.includes("write") || !access.includes("read") || value === undefined || value === null) return [];
    return [{ target, service: `${service}:${index}.${property}`, value }];
  });
}

/** Devices with at least one capturable value. */
export function capturable(home: SceneHome): ReadonlySet<string> {
  return new Set([...home.forest.devices.keys()].filter((id) => captured(home, [id]).length > 0));
}

/** Updates items to the devices' current values. Items with unknown values and items of zones stay unchanged. */
export function withCurrent(home: SceneHome, items: readonly SceneItem[]): readonly SceneItem[] {
  return items.map((item) => {
    const known = propertyOf(home.services.get(item.target)?.items ?? [], item.service)?.descriptor.value;
    return known === undefined || known === null ? item : { ...item, value: known };
  });
}

/** Adds the items of `more` that set other properties. */
export function withMore(
  home: SceneHome,
  items: readonly SceneItem[],
  more: readonly SceneItem[],
): readonly SceneItem[] {
  const known = new Set(items.map((item) => keyOf(home, item)));
  return [...items, ...more.filter((item) => !known.has(keyOf(home, item)))];
}

/** The property that an item sets, independent of its selector's form. */
function keyOf(home: SceneHome, item: SceneItem): string {
  const found = describedBy(home, item);
  const { service, index } = found?.service ?? { service: item.service, index: "" };
  return `${item.target} ${service}:${index}.${found?.descriptor.property ?? ""}`;
}

export type Override =
  /** A later item overrides everything it sets. */
  | { readonly kind: "whole"; readonly by: string }
  /** The number of its devices that have a later value of their own. */
  | { readonly kind: "part"; readonly devices: number };

/**
 * Finds items that a later item overrides (A13.4): users who set both a zone and a lamp in it must see which value applies.
 * @returns one entry per item, undefined when the item applies in full
 */
export function overridesOf(home: SceneHome, items: readonly SceneItem[]): readonly (Override | undefined)[] {
  /** Properties that later items set, with the overriding target. */
  const later = new Map<string, string>();
  return items
    .map((item, at) => ({ item, at }))
    .reverse()
    .map(({ item }) => {
      const writes = writesOf(home, item).map((each) => ({ ...each, by: later.get(each.key) }));
      for (const { key } of writes) if (!later.has(key)) later.set(key, item.target);
      const lost = writes.filter(({ by }) => by !== undefined);
      const [first] = lost;
      if (first?.by === undefined) return undefined;
      if (lost.length === writes.length) return { kind: "whole", by: first.by } as const;
      return { kind: "part", devices: new Set(lost.map(({ deviceId }) => deviceId)).size } as const;
    })
    .reverse();
}
