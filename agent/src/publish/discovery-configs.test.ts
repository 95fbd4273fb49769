/** Discovery messages as our own reader of Home Assistant's discovery understands them, which was written after its documents. */
import { described } from "@porchlight/driver-mqtt/home-assistant/discovery.fixture.ts";
import {
  CATALOGUE,
  type DeviceDescription,
  OPTIONAL_PROPERTIES,
  type PropertyDescription,
} from "@porchlight/shared/model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AGENT_VERSION } from "../config/index.ts";
import { hubConfig } from "./discovery-configs.ts";
import { BASE, configs, DEVICE, description, HUB, readBack } from "./read-back.fixture.ts";

const SWITCH = ["Switch.on", "boolean", "rwn"] as const;
const read = (config: string | undefined) => JSON.parse(config ?? "");

/** A device with one service of each class. */
const WHOLE: DeviceDescription = [...CATALOGUE].map(([service, properties]) => ({
  service,
  index: "0",
  properties: [...properties, ...(OPTIONAL_PROPERTIES.get(service) ?? [])],
}));

describe("the messages of a device", () => {
  const messages = configs(description(SWITCH, ["Temperature.celsius", "number", "rn"]), {
    manufacturer: "Acme",
    model: "L1",
    firmware: "1.2",
    serial: "77",
    transport: "serial /dev/ttyUSB0",
  });

  test("stand on a topic of each entity, in the form that every program reads", () => {
    expect([...messages.keys()]).toEqual([
      "homeassistant/switch/porchlight_001b44113ab7/Switch_0_on/config",
      "homeassistant/sensor/porchlight_001b44113ab7/Temperature_0_celsius/config",
    ]);
  });

  test("say whose they are, of which device, and when it is there", () => {
    const [first, second] = [...messages.values()].map(read);
    expect(second).toMatchObject({
      name: "Temperature",
      unique_id: "porchlight_001b44113ab7_Temperature_0_celsius",
      availability: [
        { topic: `porchlight/${HUB}/availability` },
        { topic: `porchlight/${HUB}/${DEVICE}/availability` },
      ],
      availability_mode: "all",
      device: {
        identifiers: ["porchlight_001b44113ab7"],
        name: "Lamp",
        manufacturer: "Acme",
        model: "L1",
        sw_version: "1.2",
        serial_number: "77",
        via_device: "porchlight_020000000001",
      },
      origin: { name: "Porchlight", sw_version: AGENT_VERSION },
    });
    // What the device is for has the device's name.
    expect(first.name).toBeNull();
  });

  test("have names of their own where a device is for several things", () => {
    const names = [...configs(description(SWITCH, ["Switch:1.on", "boolean", "rwn"])).values()].map(read);
    expect(names.map(({ name }) => name)).toEqual(["Switch", "Switch 1"]);
  });

  test.for([
    ["Settings.powerOnBehavior", "Power on behavior"],
    ["Settings:3.fan_mode", "Fan mode 3"],
    ["Switch.watts", "Switch watts"],
    ["Garden.soilMoisture", "Garden soil moisture"],
    ["AirQuality.co2", "Carbon dioxide"],
  ] as const)("call %s %s", ([address, name]) => {
    const [config] = configs(description([address, "number", "r"])).values();
    expect(read(config).name).toBe(name);
  });
});

test("the hub is a device with an entity of its own", () => {
  const [topic, config] = hubConfig("homeassistant", HUB);
  expect(topic).toBe("homeassistant/binary_sensor/porchlight_020000000001/connection/config");
  const dialect = readBack(new Map([[topic, config]]));
  expect([dialect.devices.size, dialect.ignored, dialect.problems]).toEqual([1, {}, []]);
});

test("every standard property is understood as itself, and nothing is left aside", () => {
  const dialect = readBack(configs(WHOLE));
  expect([dialect.ignored, dialect.problems]).toEqual([{}, []]);
  const device = dialect.devices.get(DEVICE);
  const standard = WHOLE.flatMap(({ service, properties }) =>
    properties.map(({ property }) => `${service}:0.${property}`),
  );
  // A reader knows a button that shows the device, and no such property; a lock's jam has no class of its own in Home Assistant.
  // A target is the cover's; a reader knows no other brightness or voltage of a device, and reads other words as settings.
  const others = [
    ...["Identify:0.active", "Lock:0.jammed", "Switch:0.startUp", "LightLevel:0.target", "Cover:0.target"],
    ...["Battery:0.volts", "Electricity:0.produced"],
  ];
  const found = device ? described(device) : {};
  expect(Object.keys(found)).toEqual(expect.arrayContaining(standard.filter((each) => !others.includes(each))));
  expect(found).toMatchObject({
    "Switch:0.on": "rwn",
    "LightColor:0.hue": "rwn",
    "Cover:0.position": "rwn",
    "Button:0.event": "n",
    "Readings:0.jammed": "rn",
  });
  expect(device?.identify).toMatchObject({ topic: `${BASE}/Identify/0/active/set`, payload: "true" });
});

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,7}$/);
const access = fc.subarray(["read", "write", "notify"] as const, { minLength: 1 });
const word = fc.string({ minLength: 1, maxLength: 12 });
const ofAnyType: fc.Arbitrary<PropertyDescription> = fc
  .record(
    {
      property: name,
      type: fc.constantFrom("boolean", "integer", "number", "string", "json"),
      access,
      unit: fc.constantFrom("°C", "%", "W", "mm"),
      min: fc.integer({ min: -10, max: 10 }),
      max: fc.integer({ min: 11, max: 500 }),
      step: fc.constantFrom(0.0001, 0.1, 1, 5),
      words: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ["property", "type", "access"] },
  )
  .map(({ words, ...each }) => (each.type === "string" && words ? { ...each, values: words } : each));
const ofClass = fc
  .constantFrom(...CATALOGUE.keys())
  .chain((service) =>
    fc.subarray([...(CATALOGUE.get(service) ?? [])], { minLength: 1 }).map((properties) => ({ service, properties })),
  );
const anyDevice: fc.Arbitrary<DeviceDescription> = fc
  .array(
    fc.oneof(
      ofClass,
      fc.record({
        service: fc.oneof(name, fc.constantFrom(...CATALOGUE.keys())),
        properties: fc.uniqueArray(ofAnyType, { minLength: 1, maxLength: 6, selector: ({ property }) => property }),
      }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  // A reader makes no device of a button that shows it, alone.
  .map((services) => [...services, { service: "Contact", properties: CATALOGUE.get("Contact") ?? [] }])
  .map((services) => services.map((each, index) => ({ ...each, index: String(index) })));

test("each message of any device can be parsed as a whole", () => {
  let messages = 0;
  fc.assert(
    fc.property(anyDevice, (device) => {
      const made = configs(device);
      messages += made.size;
      const dialect = readBack(made);
      expect([dialect.ignored, dialect.problems]).toEqual([{}, []]);
      expect(dialect.devices.size).toBe(1);
    }),
    { numRuns: 500 },
  );
  expect(messages).toBeGreaterThan(1000);
});
