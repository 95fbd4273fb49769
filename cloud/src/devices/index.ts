/** Devices: their descriptions, their values, and commands to them. */

export {
  type CommandHop,
  hopsOf as commandHops,
  originOf as commandOrigin,
} from "./commands/command-origin.ts";
export { asUnavailable } from "./commands/command-outcome.ts";
export type { CommandKeeper } from "./commands/command-result.ts";
export { commandResource, durationOf, readCommand } from "./commands/command-store.ts";
export { currentItems } from "./current-items.ts";
export type { DeviceSnapshot } from "./device-row.ts";
export { DeviceMemory, type DeviceMemoryDeps, Devices, type DevicesDeps } from "./devices.ts";
export type { EnvironmentState, Selected } from "./environment-state.ts";
export type { HubSubject } from "./hub-teller.ts";
export type { HubView } from "./hub-view.ts";
export type { DeviceChange, DeviceListQuery, DevicePlaceFilter } from "./list-devices.ts";
export type { CachedProperties, RefreshRequest } from "./properties/get-properties.ts";
export {
  type EachResult,
  type PlannedWrite,
  type PropertyScope,
  type SetEachRequest,
  writeFailureOf,
} from "./properties/set-properties.ts";
export type { SetPropertyRequest, SetPropertyResult } from "./relay/accepted-write.ts";
