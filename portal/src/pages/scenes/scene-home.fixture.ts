/** A home for tests of what scenes say: devices that are reached through hubs, in zones. */
import type { Device, ServiceDescriptor, ServiceList, Zone } from "@porchlight/shared/api";
import { forestOf } from "../zones/forest.ts";
import type { SceneHome } from "./scene-home.ts";

const AT = "2026-11-21 12:00:00Z";

/** @param devices services by ID @param zones items by ID @param hubs of devices by ID: those without are virtual */
export function homeOf(
  devices: Readonly<Record<string, readonly ServiceDescriptor[]>>,
  zones: Readonly<Record<string, readonly string[]>> = {},
  hubs: Readonly<Record<string, string>> = {},
): SceneHome {
  const common = { ecosystemId: "eco_1", environmentId: "env_1", createdAt: AT };
  const all = Object.keys(devices).map((id): Device => {
    const clientId = hubs[id];
    return {
      ...common,
      id,
      type: clientId ? "physical" : "virtual",
      meta: { "$.name": id },
      ...(clientId && { clientId }),
    };
  });
  const rooms = Object.entries(zones).map(
    ([id, items]): Zone => ({ ...common, id, alias: id, meta: {}, items: [...items] }),
  );
  const services = Object.entries(devices).map(([id, items]): [string, ServiceList] => [id, { items: [...items] }]);
  return { forest: forestOf(rooms, all), services: new Map(services) };
}

export function lamp(on: boolean, level: number): readonly ServiceDescriptor[] {
  const access = ["read", "write"] as const;
  return [
    {
      service: "Switch",
      index: "0",
      properties: [{ property: "on", type: "boolean", access: [...access], value: on }],
    },
    {
      ...{ service: "LightLevel", index: "0" },
      properties: [
        { property: "level", type: "number", unit: "%", min: 0, max: 100, access: [...access], value: level },
      ],
    },
  ];
}
