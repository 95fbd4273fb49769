import { DeviceAddresses, doneAtOnce, KeptIdentities } from "@porchlight/driver-kit";
import { addressKey } from "@porchlight/shared/model";
import { describe, expect, it, test } from "vitest";
import { BRIDGE_ID, capturedResources } from "../bridge-capture.fixture.ts";
import { describeDevices } from "./describe.ts";
import { ResourceSet } from "./resource.ts";
import { type HueDevice, isReached } from "./scenes.ts";

const leftAside: string[] = [];
const resources = new ResourceSet((why) => leftAside.push(why));
doneAtOnce(resources.replace(capturedResources()));
const kept = {
  identities: new KeptIdentities(undefined),
  addresses: new DeviceAddresses(undefined, () => undefined),
};
const devices = doneAtOnce(describeDevices(resources, BRIDGE_ID, kept));

const named = (name: string): HueDevice => {
  const found = devices.find(({ about }) => about.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};

/** Each property with what its resource says: `Switch:0.on true`. */
const values = ({ properties }: HueDevice) =>
  properties.map(({ address, of, read }) => {
    const resource = resources.get(of.rid);
    return `${addressKey(address)} ${JSON.stringify(resource && read(resource))}`;
  });

describe("what a bridge has", () => {
  test.each<[name: string, values: readonly string[]]>([
    [
      "Floor lamp",
      [
        ...["Switch:0.on true", "LightLevel:0.level 46.85"],
        ...["LightColor:0.hue 28.1", "LightColor:0.saturation 100", "LightTemperature:0.kelvin null"],
      ],
    ],
    ["Ceiling lamp", ["Switch:0.on false", "LightLevel:0.level 59.45", "LightTemperature:0.kelvin 2710"]],
    ["Plain bulb", ["Switch:0.on false"]],
    ["Wall switch", ["Button:1.event undefined", "Button:2.event undefined", ...battery(100)]],
    ["Dimmer", [...[1, 2, 3, 4].map((at) => `Button:${at}.event undefined`), ...battery(83), "Dial:0.steps undefined"]],
    ["Smart button", ["Button:0.event undefined", ...battery(91, true)]],
    [
      "Motion sensor",
      ["Motion:0.detected false", ...battery(100), "Illuminance:0.lux 63.47", "Temperature:0.celsius 18.14"],
    ],
    ["Contact sensor", ["Contact:0.open false", "Tamper:0.detected false"]],
    ["Camera", ["Motion:0.detected true"]],
    ["Bathroom", ["Switch:0.on false", "LightLevel:0.level 29.7", "Scenes:0.show undefined"]],
    ["Downstairs", ["Switch:0.on true"]],
  ])("%s", (name, expected) => {
    expect(values(named(name))).toEqual(expected);
  });

  it("is every device but the bridge, described fully, in part or not, as docs/integrations/hue.md counts them", () => {
    expect(devices.map(({ about }) => about.name)).not.toContain("Philips hue");
    const inPart = devices.filter(({ leftAside: aside }) => Object.keys(aside).length > 0);
    expect(inPart.map(({ about, leftAside: aside }) => [about.name, aside])).toEqual([
      ["Gradient strip", { "light.gradient": 1 }],
    ]);
    const all = ["device", "room", "zone"].flatMap((type) => resources.ofType(type));
    const counts = { fully: devices.length - inPart.length, partly: inPart.length, not: all.length - devices.length };
    expect(counts).toEqual({ fully: 13, partly: 1, not: 1 });
    expect(leftAside).toEqual([]);
  });

  it("uses these of its resources, and leaves these aside", () => {
    const scenes = [...resources.ofType("scene"), ...resources.ofType("smart_scene")];
    const used = new Set([
      ...devices.flatMap(({ properties }) => properties.map(({ of }) => of.rid)),
      ...devices.flatMap(({ connectivity }) => connectivity ?? []),
      ...["device", "room", "zone"].flatMap((type) => resources.ofType(type).map(({ id }) => id)),
      ...scenes.map(({ id }) => id),
    ]);
    const unused = capturedResources().filter(({ id }) => !used.has(id));
    expect(unused.map(({ type }) => type)).toEqual([
      ...["bridge", "zigbee_connectivity", "entertainment", "entertainment", "geolocation", "behavior_script"],
    ]);
    expect(capturedResources().length - unused.length).toBe(54);
  });

  it("has the device's own address, and one that is derived where it reports none", () => {
    expect(named("Floor lamp")).toMatchObject({ edgeId: "00-17-88-01-09-AA-BB-65", identity: undefined });
    expect(named("Contact sensor")).toMatchObject({ identity: "dev-contact" });
    expect(new Set(devices.map(({ edgeId }) => edgeId)).size).toBe(devices.length);
  });

  it("is there as far as the bridge reaches it", () => {
    const reached = (name: string) => isReached(resources.get(named(name).connectivity ?? ""));
    expect([reached("Floor lamp"), reached("Bloom"), reached("Contact sensor")]).toEqual([true, false, true]);
  });

  it("is called what its maker and its owner call it", () => {
    expect(named("Ceiling lamp").about).toEqual({
      ...{ manufacturer: "Signify Netherlands B.V.", model: "Hue ambiance ceiling LTC001" },
      ...{ firmware: "1.88.1", name: "Ceiling lamp" },
    });
  });
});

describe("what is sent to set a property", () => {
  const setting = (name: string, key: string, value: unknown) => {
    const property = named(name).properties.find(({ address }) => addressKey(address) === key);
    const now = resources.get(property?.of.rid ?? "");
    if (!property?.set || !now) throw new Error("It cannot be set.");
    return property.set(value as never, now);
  };

  test.each<[device: string, property: string, value: unknown, body: object]>([
    ["Ceiling lamp", "Switch:0.on", true, { on: { on: true } }],
    ["Ceiling lamp", "LightLevel:0.level", 40, { on: { on: true }, dimming: { brightness: 40 } }],
    ["Ceiling lamp", "LightTemperature:0.kelvin", 2700, { color_temperature: { mirek: 370 } }],
    ["Floor lamp", "LightColor:0.saturation", 0, { color: { xy: { x: 0.3127, y: 0.329 } } }],
    ["Bathroom", "Switch:0.on", false, { on: { on: false } }],
  ])("%s %s %j", (device, property, value, body) => {
    expect(setting(device, property, value)).toMatchObject({ body });
  });

  it("keeps the other half of a colour, and sends what the lamp can show", () => {
    const point = (name: string, hue: number) => setting(name, "LightColor:0.hue", hue).body;
    // The green of sRGB is in gamut C, its blue a little beyond the edge.
    expect(point("Floor lamp", 120)).toEqual({ color: { xy: { x: 0.3, y: 0.6 } } });
    expect(point("Floor lamp", 240)).toEqual({ color: { xy: { x: 0.1535, y: 0.0599 } } });
  });

  it("is done when the lamp reports the colour that was sent, or one that looks the same", () => {
    const { isDone } = setting("Floor lamp", "LightColor:0.hue", 240);
    const says = (x: number, y: number) => isDone?.({ id: "light-floor", type: "light", color: { xy: { x, y } } });
    expect([says(0.153, 0.064), says(0.3, 0.6)]).toEqual([true, false]);
    expect(isDone?.({ id: "light-floor", type: "light", on: { on: true } })).toBeUndefined();
  });

  it("shows a scene of the room by its name, each under one of its own", () => {
    const scenes = named("Bathroom").properties.at(-1);
    expect(scenes?.description).toMatchObject({ values: ["Bright", "Relax", "Relax 2"], access: ["write"] });
    expect(setting("Bathroom", "Scenes:0.show", "Bright")).toMatchObject({
      ...{ body: { recall: { action: "active" } }, to: { rid: "scene-bright", rtype: "scene" } },
    });
    expect(setting("Bathroom", "Scenes:0.show", "Relax 2")).toMatchObject({
      ...{ body: { recall: { action: "activate" } }, to: { rid: "scene-day", rtype: "smart_scene" } },
    });
  });

  it("is bounded by what the lamp can do", () => {
    const limits = (name: string, key: string) => {
      const found = named(name).properties.find(({ address }) => addressKey(address) === key)?.description;
      return [found?.min, found?.max];
    };
    expect(limits("Ceiling lamp", "LightTemperature:0.kelvin")).toEqual([2203, 6536]);
    expect(limits("Bloom", "LightLevel:0.level")).toEqual([10, 100]);
  });
});

function battery(percent: number, low = false): string[] {
  return [`Battery:0.percent ${percent}`, `Battery:0.low ${low}`];
}
