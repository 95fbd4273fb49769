/** Values for a whole zone as items of a scene: which properties can be set in a zone, and what each begins with. Pure. */
import type { PropertyDescriptor, SceneItem, ServiceDescriptor } from "@porchlight/shared/api";
import { devicesWithin } from "../../zones/tree/forest.ts";
import { describedBy, propertyOf, type SceneHome, writesOf } from "../words/scene-home.ts";

/** A property that some device of a zone can be set to. */
export interface ZoneProperty {
  /** `Service.property`: every instance of it. */
  readonly selector: string;
  /** What its devices have in common. */
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

/** What a value for a zone begins with: what all devices have now, else what one of them has, else the first that is allowed. */
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

/** Before what is set of single devices, so that a device keeps the value of its own. */
export function withZone(
  home: SceneHome,
  items: readonly SceneItem[],
  more: readonly SceneItem[],
): readonly SceneItem[] {
  const at = items.findIndex(({ target }) => !home.forest.zones.has(target));
  return at === -1 ? [...items, ...more] : items.toSpliced(at, 0, ...more);
}

// What is so now, as items of a scene: every known value that can be set again, which the service captures, too (A11). Pure.

/** What a device does for a moment, to be found, is no state of a home. */
const PASSING: ReadonlySet<string> = new Set(["Identify"]);

/** @param devices IDs */
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

/** Devices that have such a value. */
export function capturable(home: SceneHome): ReadonlySet<string> {
  return new Set([...home.forest.devices.keys()].filter((id) => captured(home, [id]).length > 0));
}

/** The same items with the values that their devices have now. What is not known, and what is of a zone, stays. */
export function withCurrent(home: SceneHome, items: readonly SceneItem[]): readonly SceneItem[] {
  return items.map((item) => {
    const known = propertyOf(home.services.get(item.target)?.items ?? [], item.service)?.descriptor.value;
    return known === undefined || known === null ? item : { ...item, value: known };
  });
}

/** The items, and those of others that set something else. */
export function withMore(
  home: SceneHome,
  items: readonly SceneItem[],
  more: readonly SceneItem[],
): readonly SceneItem[] {
  const known = new Set(items.map((item) => keyOf(home, item)));
  return [...items, ...more.filter((item) => !known.has(keyOf(home, item)))];
}

/** What an item sets, however its selector is written. */
function keyOf(home: SceneHome, item: SceneItem): string {
  const found = describedBy(home, item);
  const { service, index } = found?.service ?? { service: item.service, index: "" };
  return `${item.target} ${service}:${index}.${found?.descriptor.property ?? ""}`;
}
