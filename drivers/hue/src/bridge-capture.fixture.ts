/**
 * What a bridge has, in the shapes of a real one. The facts (which services each device has, and which fields a resource has) are those of
 * the bridge that Home Assistant's tests keep (home-assistant/core, tests/components/hue/fixtures/v2_resources.json, Apache-2.0); the
 * data is our own.
 */
import type { Resource } from "./bridge/resource.ts";

export const BRIDGE_ID = "001788FFFEAABBCC";

interface Owned {
  readonly id: string;
  readonly type: string;
  readonly [field: string]: unknown;
}

const GAMUT_C = {
  ...{ red: { x: 0.6915, y: 0.3083 }, green: { x: 0.17, y: 0.7 }, blue: { x: 0.1532, y: 0.0475 } },
};

const dimming = (brightness: number, least = 0.1) => ({ dimming: { brightness, min_dim_level: least } });
const color = (x: number, y: number, gamut_type = "C") => ({ color: { gamut: GAMUT_C, gamut_type, xy: { x, y } } });
const temperature = (mirek: number | null, most: number) => ({
  color_temperature: {
    ...{ mirek, mirek_valid: mirek !== null },
    mirek_schema: { mirek_minimum: 153, mirek_maximum: most },
  },
});
const light = (id: string, on: boolean | undefined, fields: object = {}): Owned => ({
  ...{ id, type: "light", mode: "normal", alert: { action_values: ["breathe"] } },
  ...(on !== undefined && { on: { on } }),
  ...fields,
});
const zigbee = (id: string, mac_address: string, status = "connected"): Owned => ({
  ...{ id, type: "zigbee_connectivity", mac_address, status },
});
const button = (id: string, control_id: number): Owned => ({ id, type: "button", metadata: { control_id } });
const power = (id: string, battery_level: number, battery_state = "normal"): Owned => ({
  ...{ id, type: "device_power", power_state: { battery_level, battery_state } },
});

/** A device and its services, which name it as their owner. */
function device(
  id: string,
  name: string,
  product: readonly string[],
  services: readonly Owned[],
  more = {},
): Resource[] {
  const [product_name, model_id, software_version, manufacturer_name = "Signify Netherlands B.V."] = product;
  const product_data = { product_name, model_id, software_version, manufacturer_name, certified: true };
  const references = services.map((each) => ({ rid: each.id, rtype: each.type }));
  const owner = { rid: id, rtype: "device" };
  return [
    {
      id,
      type: "device",
      metadata: { name, archetype: "unknown_archetype" },
      product_data,
      services: references,
      ...more,
    },
    ...services.map((each) => ({ ...each, owner })),
  ];
}

/** Rooms and zones name devices or lamps; their lamps together are a service. */
function group(id: string, type: string, name: string, children: readonly string[], light: Owned): Resource[] {
  const ofChild = type === "room" ? "device" : "light";
  return [
    {
      ...{ id, type, metadata: { name, archetype: "bathroom" } },
      children: children.map((rid) => ({ rid, rtype: ofChild })),
      services: [{ rid: light.id, rtype: light.type }],
    },
    { ...light, owner: { rid: id, rtype: type } },
  ];
}

export function capturedResources(): Resource[] {
  return [
    ...device(
      "dev-bridge",
      "Philips hue",
      ["Philips hue", "BSB002", "1.50.1950111030"],
      [
        {
          id: "bridge",
          type: "bridge",
          bridge_id: BRIDGE_ID.toLowerCase(),
          time_zone: { time_zone: "Europe/Amsterdam" },
        },
        zigbee("zc-bridge", "00:17:88:01:aa:bb:fd:c7"),
        { id: "ent-bridge", type: "entertainment", proxy: true, renderer: false },
      ],
    ),
    ...device(
      "dev-wall",
      "Wall switch",
      ["Hue wall switch module", "RDM001", "1.0.3"],
      [
        button("btn-wall-1", 1),
        button("btn-wall-2", 2),
        power("pow-wall", 100),
        zigbee("zc-wall", "00:17:88:01:0b:aa:bb:99"),
      ],
    ),
    ...device(
      "dev-floor",
      "Floor lamp",
      ["Hue color floor", "4080248P9", "1.88.1"],
      [
        light("light-floor", true, { ...dimming(46.85), ...color(0.5614, 0.4058), ...temperature(null, 500) }),
        zigbee("zc-floor", "00:17:88:01:09:aa:bb:65"),
        { id: "ent-floor", type: "entertainment", proxy: true, renderer: true },
      ],
      { identify: {} },
    ),
    ...device(
      "dev-ceiling",
      "Ceiling lamp",
      ["Hue ambiance ceiling", "LTC001", "1.88.1"],
      [
        light("light-ceiling", false, { ...dimming(59.45), ...temperature(369, 454) }),
        zigbee("zc-ceiling", "00:17:88:01:06:aa:bb:58"),
      ],
    ),
    ...device(
      "dev-dimmer",
      "Dimmer",
      ["Hue dimmer switch", "RWL021", "1.1.28573"],
      [
        ...[1, 2, 3, 4].map((control) => button(`btn-dimmer-${control}`, control)),
        power("pow-dimmer", 83),
        zigbee("zc-dimmer", "00:17:88:01:08:aa:cc:60"),
        { id: "dial-dimmer", type: "relative_rotary" },
      ],
    ),
    ...device(
      "dev-strip",
      "Light strip",
      ["Hue lightstrip plus", "LST002", "67.88.1"],
      [
        light("light-strip", true, { ...dimming(46.85, 0.025), ...color(0.5022, 0.4466), ...temperature(null, 500) }),
        zigbee("zc-strip", "00:17:88:aa:aa:bb:0d:ab"),
      ],
    ),
    ...device(
      "dev-plain",
      "Plain bulb",
      ["On/Off light", "SA-003-Zigbee", "1.0.2", "eWeLink"],
      [light("light-plain", false), zigbee("zc-plain", "00:12:4b:00:1f:aa:bb:f3")],
    ),
    ...device(
      "dev-button",
      "Smart button",
      ["Hue Smart button", "ROM001", "2.47.8"],
      [button("btn-smart", 1), power("pow-smart", 91, "low"), zigbee("zc-smart", "00:17:88:01:aa:cc:87:b6")],
    ),
    ...device(
      "dev-bloom",
      "Bloom",
      ["Hue bloom", "LLC011", "67.91.1"],
      [
        light("light-bloom", true, { ...dimming(50, 10), ...color(0.4849, 0.3895, "A") }),
        zigbee("zc-bloom", "00:17:88:aa:bb:1e:cc:b2", "connectivity_issue"),
      ],
    ),
    ...device(
      "dev-gradient",
      "Gradient strip",
      ["Hue play gradient lightstrip", "LCX003", "1.86.7"],
      [
        light("light-gradient", true, {
          ...{ ...dimming(46.85), ...color(0.5022, 0.4466), ...temperature(null, 500) },
          gradient: { points_capable: 5, points: [{ color: { xy: { x: 0.5022, y: 0.4466 } } }] },
        }),
        zigbee("zc-gradient", "00:17:88:01:aa:bb:cc:3d"),
      ],
    ),
    ...device(
      "dev-motion",
      "Motion sensor",
      ["Hue motion sensor", "SML001", "1.1.27575"],
      [
        { id: "motion", type: "motion", enabled: true, motion: { motion: false, motion_valid: true } },
        power("pow-motion", 100),
        zigbee("zc-motion", "00:17:aa:bb:cc:09:ac:c3"),
        { id: "lux", type: "light_level", enabled: true, light: { light_level: 18_027, light_level_valid: true } },
        {
          ...{ id: "celsius", type: "temperature", enabled: true },
          temperature: { temperature: 18.139999389648438, temperature_valid: true },
        },
      ],
    ),
    ...device(
      "dev-contact",
      "Contact sensor",
      ["Hue secure contact sensor", "SOC001", "2.67.9"],
      [
        {
          ...{ id: "contact", type: "contact", enabled: true },
          contact_report: { changed: "2023-09-27T10:01:36.968Z", state: "contact" },
        },
        {
          ...{ id: "tamper", type: "tamper" },
          tamper_reports: [{ changed: "2023-09-25T10:02:08.774Z", source: "battery_door", state: "not_tampered" }],
        },
      ],
      { identify: {} },
    ),
    ...device(
      "dev-camera",
      "Camera",
      ["Fake Hue Test Camera", "CAMERA", "0.0.0"],
      [
        {
          ...{ id: "camera", type: "camera_motion", enabled: true },
          motion: {
            motion_report: { changed: "2023-09-27T10:06:41.822Z", motion: true },
            motion: true,
            motion_valid: true,
          },
        },
      ],
    ),
    ...group("room-bath", "room", "Bathroom", ["dev-ceiling", "dev-plain"], {
      ...{ id: "group-bath", type: "grouped_light", on: { on: false }, dimming: { brightness: 29.7 } },
    }),
    ...group("zone-down", "zone", "Downstairs", ["light-floor", "light-strip"], {
      ...{ id: "group-down", type: "grouped_light", on: { on: true } },
    }),
    {
      ...{ id: "scene-bright", type: "scene", metadata: { name: "Bright" }, speed: 0.5, auto_dynamic: false },
      ...{ group: { rid: "room-bath", rtype: "room" }, status: { active: "inactive" } },
    },
    {
      ...{ id: "scene-relax", type: "scene", metadata: { name: "Relax" }, speed: 0.5, auto_dynamic: false },
      ...{ group: { rid: "room-bath", rtype: "room" }, status: { active: "static" } },
    },
    {
      ...{ id: "scene-day", type: "smart_scene", metadata: { name: "Relax" }, state: "active" },
      group: { rid: "room-bath", rtype: "room" },
    },
    { id: "geolocation", type: "geolocation", is_configured: true },
    { id: "script", type: "behavior_script", metadata: { name: "Schedule" }, version: "0.0.1" },
  ];
}
