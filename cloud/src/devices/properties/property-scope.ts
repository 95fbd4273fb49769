/** Whose properties a read or write means: one device, those of a zone, or all of an environment. */
import type { Resolved } from "../../access/index.ts";
import { devicesWithinZone } from "../../access/index.ts";
import type { Store } from "../../store/index.ts";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import type { EnvironmentState } from "../cache/environment-state.ts";
import { deviceNotFound } from "../device/device-row.ts";

export interface PropertyScope {
  readonly ecosystemId: string;
  readonly environmentId: string;
  /** One device; undefined: several. */
  readonly deviceId?: string | undefined;
  /** Those of a zone, in the order of their IDs; undefined: all of the environment. */
  readonly deviceIds?: readonly string[] | undefined;
}

/** All devices in the zone and its zones, each once. */
export async function zoneScope(
  store: Store,
  { ecosystemId, environmentId, id }: Resolved<"zon">,
): Promise<PropertyScope> {
  const deviceIds = await devicesWithinZone(store.of(ecosystemId).sql, ecosystemId, id);
  // A zone is always in an environment.
  return { ecosystemId, environmentId: environmentId ?? "", deviceIds };
}

/** The devices that are meant; undefined: all. */
export function idsOf({ deviceId, deviceIds }: PropertyScope): readonly string[] | undefined {
  return deviceId === undefined ? deviceIds : [deviceId];
}

/** The environment in memory. @throws "Device Not Found" when the one device is not in it */
export async function environmentOf(cache: EnvironmentCache, scope: PropertyScope): Promise<EnvironmentState> {
  const environment = cache.peek(scope.environmentId) ?? (await cache.get(scope.ecosystemId, scope.environmentId));
  if (scope.deviceId !== undefined && !environment.device(scope.deviceId)) throw deviceNotFound();
  return environment;
}
