/** Devices: what they are, what they say, and how they are told. */

export type { SetPropertyRequest, SetPropertyResult } from "./accepted-write.ts";
export type { DeviceChange } from "./change-device.ts";
export { commandResource } from "./command-store.ts";
export { currentItems } from "./current-items.ts";
export type { DeviceSnapshot } from "./device-row.ts";
export { DeviceMemory, type DeviceMemoryDeps, Devices, type DevicesDeps } from "./devices.ts";
export type { CachedProperties, RefreshRequest } from "./get-properties.ts";
export type { HubView } from "./hub-view.ts";
export type { DeviceListQuery, DevicePlaceFilter } from "./list-devices.ts";
export type { PropertyScope } from "./property-scope.ts";
