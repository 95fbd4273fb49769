/** A stored value as the item of the API (A3.2): one place, because reads, confirmed writes and events all show it. */
import type { PropertyItem } from "../../api/index.ts";
import { formatTime } from "../../kernel/index.ts";
import { type PropertyAddress, UNKNOWN_TIME } from "../../model/index.ts";

/** Where a device is. */
export interface DevicePlace {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly deviceId: string;
}

/** A property's value as it is stored. */
export interface StoredValue {
  /** JSON. */
  readonly value: string;
  /** Its number in the hub's history. */
  readonly number: number;
  /** Wall-clock ms, or `UNKNOWN_TIME`, then both. */
  readonly modifiedAt: number;
  readonly observedAt: number;
}

/** JSON of a property that has no value at present: it is no item. */
export const NO_VALUE = "null";

export function propertyItem(place: DevicePlace, address: PropertyAddress, stored: StoredValue): PropertyItem {
  return {
    ecosystemId: place.ecosystemId,
    id: place.environmentId,
    deviceId: place.deviceId,
    service: address.service,
    index: address.index,
    property: address.property,
    value: JSON.parse(stored.value),
    ...itemAge(stored),
  };
}

/** When the value last changed and when it was last confirmed; that it is of unknown age, when that is not known. */
export function itemAge({ modifiedAt, observedAt }: Pick<StoredValue, "modifiedAt" | "observedAt">) {
  if (observedAt === UNKNOWN_TIME) return { source: "retained" } as const;
  const modified = formatTime(modifiedAt);
  // A value that has just changed has both in common, and every report of a change comes this way.
  return { modifiedAt: modified, observedAt: observedAt === modifiedAt ? modified : formatTime(observedAt) };
}

/**
 * The JSON of {@link propertyItem}, in one flat string: names and IDs have nothing in them that JSON would escape, and the
 * value is stored as JSON.
 */
export function propertyText(place: DevicePlace, address: PropertyAddress, stored: StoredValue): string {
  return [
    `{"ecosystemId":"${place.ecosystemId}","id":"${place.environmentId}","deviceId":"${place.deviceId}",`,
    `"service":"${address.service}","index":"${address.index}","property":"${address.property}",`,
    `"value":${stored.value},${ageText(stored)}}`,
  ].join("");
}

function ageText({ modifiedAt, observedAt }: StoredValue): string {
  if (observedAt === UNKNOWN_TIME) return '"source":"retained"';
  return `"modifiedAt":"${formatTime(modifiedAt)}","observedAt":"${formatTime(observedAt)}"`;
}
