/** What is so now, as items of a scene: every known value that can be set again, which the service captures, too (A11). Pure. */
import type { SceneItem, ServiceDescriptor } from "@porchlight/shared/api";
import { describedBy, propertyOf, type SceneHome } from "../words/scene-home.ts";

/** What a device does for a moment, to be found, is no state of a home. */
export const PASSING: ReadonlySet<string> = new Set(["Identify"]);

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
