/** Values for a whole zone as items of a scene: which properties can be set in a zone, and what each begins with. Pure. */
import type { PropertyDescriptor, SceneItem } from "@porchlight/shared/api";
import { devicesWithin } from "../../zones/tree/forest.ts";
import { describedBy, type SceneHome, writesOf } from "../words/scene-home.ts";
import { PASSING } from "./capture.ts";

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
