/** The hub's devices in the words of the API: one place, because what is read at home and what is told there is the same. */
import type { Device } from "@porchlight/shared/api";
import { formatTime } from "@porchlight/shared/kernel";
import { type DevicePlace, type StoredValue as ItemValue, showMeta } from "@porchlight/shared/rest";
import type { DeviceName } from "@porchlight/shared/tunnel";
import type { HomePlace } from "../rows/device-names.ts";
import type { StoredDevice } from "../rows/devices.ts";
import type { StoredValue } from "../rows/values.ts";

export interface ShownDevice {
  readonly name: DeviceName;
  readonly stored: StoredDevice;
  readonly connection: "online" | "offline" | "unknown";
  /** edgeId of the hub. */
  readonly hub: string;
}

/** @param place undefined before the cloud has told it @param prefix of system metadata */
export function homeDevice(place: HomePlace | undefined, shown: ShownDevice, prefix: string): Device {
  const { name, stored, connection, hub } = shown;
  const { ecosystemId = "", environmentId = "", clientId = "" } = place ?? {};
  return {
    id: name.id,
    ecosystemId,
    environmentId,
    type: "physical",
    edgeId: stored.edgeId,
    ...(name.alias !== undefined && { alias: name.alias }),
    meta: showMeta(name.meta, prefix, { ...stored.about, hub }),
    createdAt: formatTime(name.createdAt),
    clientId,
    connection: { state: connection, since: formatTime(stored.since) },
  };
}

/** Where a device is, and what one of its properties is: of what an item is made. */
export function homeItem(
  { ecosystemId, environmentId }: HomePlace,
  deviceId: string,
  { value, number, modifiedAt, observedAt }: StoredValue,
): { readonly place: DevicePlace; readonly stored: ItemValue } {
  const place = { ecosystemId, environmentId, deviceId };
  return { place, stored: { value: JSON.stringify(value), number, modifiedAt, observedAt } };
}
