/** A stored value as an item of the API (A3.2), for reads, confirmed writes and events; and the cause of its change (A6). */
import type { PropertyItem } from "../../api/index.ts";
import { formatTime } from "../../kernel/index.ts";
import { type PropertyAddress, UNKNOWN_TIME } from "../../model/index.ts";
import type { SceneCaller, ValueRecord } from "../../tunnel/index.ts";

/** The location of a device. */
export interface DevicePlace {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly deviceId: string;
}

/** A stored property value. */
export interface StoredValue {
  /** JSON of the value. */
  readonly value: string;
  /** Its number in the hub's history. */
  readonly number: number;
  /** Wall-clock ms, or `UNKNOWN_TIME`; then both times are unknown. */
  readonly modifiedAt: number;
  readonly observedAt: number;
}

/** JSON of a property without a value at present: it has no item. */
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

/** Times of the last change and the last confirmation; for a value of unknown age, its `source` instead. */
function itemAge({ modifiedAt, observedAt }: Pick<StoredValue, "modifiedAt" | "observedAt">) {
  if (observedAt === UNKNOWN_TIME) return { source: "retained" } as const;
  const modified = formatTime(modifiedAt);
  // The two times are equal right after a change, and every reported change comes through here: format the time once.
  return { modifiedAt: modified, observedAt: observedAt === modifiedAt ? modified : formatTime(observedAt) };
}

/**
 * The JSON of {@link propertyItem}, as one flat string: names and IDs contain nothing that JSON would escape, and the value is stored
 * as JSON.
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

/** The cause of a property's change, as `property.changed` carries it (A6). */
export type ChangeCause =
  | {
      readonly kind: "command";
      readonly commandId: string;
      readonly tokenId?: string | undefined;
      /** Time from acceptance to confirmation; absent when no caller waited for it. */
      readonly durationMs?: number | undefined;
    }
  | { readonly kind: "device" }
  /**
   * A scene. `commandId` is the command that set this property, `sceneCommandId` that of the whole call. When a hub calls the scene on
   * its own, both are absent, and `by` states the reason.
   */
  | {
      readonly kind: "scene";
      readonly sceneId: string;
      readonly sceneCommandId?: string | undefined;
      readonly commandId?: string | undefined;
      readonly tokenId?: string | undefined;
      readonly durationMs?: number | undefined;
      readonly by?: SceneCaller | undefined;
    }
  /** A user at home, through the hub's own API. */
  | { readonly kind: "local" }
  | { readonly kind: "refresh"; readonly tokenId?: string | undefined };

/** Causes by their names in a hub's history. */
export const CHANGE_CAUSES = { report: "device", read: "refresh", local: "local" } as const satisfies Readonly<
  Record<ValueRecord["cause"], ChangeCause["kind"]>
>;
