/** Devices, values and events as the service reports them, for tests of live views. */
import type { PorchlightEvent } from "@porchlight/sdk";
import type { Device, PropertyItem } from "@porchlight/shared/api";

const TIME = "2026-11-21 20:00:07Z";
const PLACE = { ecosystemId: "eco_1", environmentId: "env_1" };

export function device(
  id: string,
  state: "online" | "offline" | "unknown" = "online",
  more: Partial<Device> = {},
): Device {
  const connection = { state, since: TIME };
  return { id, ...PLACE, type: "physical", alias: id, meta: {}, createdAt: TIME, connection, ...more };
}

export function item(deviceId: string, value: PropertyItem["value"], more: Partial<PropertyItem> = {}): PropertyItem {
  const named = { service: "LightColor", index: "0", property: "hue" };
  return { ecosystemId: "eco_1", id: "env_1", deviceId, ...named, value, modifiedAt: TIME, observedAt: TIME, ...more };
}

export function event(type: PorchlightEvent["type"], data: unknown, sequence = 1): PorchlightEvent {
  // As it comes from the service, with the data of its type.
  return { id: `evt_${sequence}`, sequence, type, createdAt: TIME, ...PLACE, data } as PorchlightEvent;
}

export function changed(changedItem: PropertyItem, sequence = 1): PorchlightEvent {
  return event("property.changed", { item: changedItem, cause: { kind: "device" } }, sequence);
}
