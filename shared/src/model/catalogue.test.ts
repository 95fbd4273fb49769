/** The catalogue is section 8 of the API contract, typed here once more by hand. */
import { expect, test } from "vitest";
import { CATALOGUE, CATALOGUE_TITLES, OPTIONAL_PROPERTIES, standardProperty } from "./catalogue.ts";

const rw = ["read", "write", "notify"];
const ro = ["read", "notify"];

const CONTRACT = {
  Switch: [{ property: "on", type: "boolean", access: rw }],
  LightLevel: [{ property: "level", type: "number", min: 0, max: 100, unit: "%", access: rw }],
  LightColor: [
    { property: "hue", type: "number", min: 0, max: 360, unit: "deg", access: rw },
    { property: "saturation", type: "number", min: 0, max: 100, unit: "%", access: rw },
  ],
  LightTemperature: [{ property: "kelvin", type: "integer", min: 1000, max: 10000, unit: "K", access: rw }],
  Cover: [
    { property: "position", type: "number", min: 0, max: 100, unit: "%", access: rw },
    { property: "movement", type: "string", values: ["stopped", "opening", "closing"], access: ro },
  ],
  Fan: [
    { property: "on", type: "boolean", access: rw },
    { property: "speed", type: "number", min: 0, max: 100, unit: "%", access: rw },
  ],
  Lock: [
    { property: "locked", type: "boolean", access: rw },
    { property: "jammed", type: "boolean", access: ro },
  ],
  Valve: [{ property: "open", type: "boolean", access: rw }],
  Thermostat: [
    { property: "mode", type: "string", values: ["off", "heat", "cool", "auto"], access: rw },
    { property: "target", type: "number", min: 5, max: 35, unit: "°C", access: rw },
    { property: "activity", type: "string", values: ["idle", "heating", "cooling"], access: ro },
  ],
  Temperature: [{ property: "celsius", type: "number", unit: "°C", access: ro }],
  Humidity: [{ property: "percent", type: "number", unit: "%", access: ro }],
  Pressure: [{ property: "hectopascal", type: "number", unit: "hPa", access: ro }],
  Illuminance: [{ property: "lux", type: "number", unit: "lx", access: ro }],
  AirQuality: [
    { property: "co2", type: "number", unit: "ppm", access: ro },
    { property: "pm25", type: "number", unit: "µg/m³", access: ro },
    { property: "voc", type: "number", unit: "ppb", access: ro },
  ],
  Motion: [{ property: "detected", type: "boolean", access: ro }],
  Occupancy: [{ property: "occupied", type: "boolean", access: ro }],
  Contact: [{ property: "open", type: "boolean", access: ro }],
  WaterLeak: [{ property: "detected", type: "boolean", access: ro }],
  Smoke: [{ property: "detected", type: "boolean", access: ro }],
  CarbonMonoxide: [{ property: "detected", type: "boolean", access: ro }],
  Tamper: [{ property: "detected", type: "boolean", access: ro }],
  Button: [{ property: "event", type: "string", values: ["press", "release", "double", "long"], access: ["notify"] }],
  Battery: [
    { property: "percent", type: "number", min: 0, max: 100, unit: "%", access: ro },
    { property: "low", type: "boolean", access: ro },
  ],
  Electricity: [
    { property: "watts", type: "number", unit: "W", access: ro },
    { property: "volts", type: "number", unit: "V", access: ro },
    { property: "amperes", type: "number", unit: "A", access: ro },
    { property: "energy", type: "number", unit: "kWh", access: ro },
  ],
  Identify: [{ property: "active", type: "boolean", access: rw }],
  Signal: [{ property: "rssi", type: "number", unit: "dBm", access: ro }],
};

const OPTIONAL = {
  Switch: [{ property: "startUp", type: "string", values: ["off", "on", "toggle", "previous"], access: rw }],
  LightLevel: [{ property: "target", type: "number", min: 0, max: 100, unit: "%", access: rw }],
  Cover: [{ property: "target", type: "number", min: 0, max: 100, unit: "%", access: rw }],
  Battery: [{ property: "volts", type: "number", unit: "V", access: ro }],
  Electricity: [
    { property: "hertz", type: "number", unit: "Hz", access: ro },
    { property: "produced", type: "number", unit: "kWh", access: ro },
  ],
};

test("the catalogue holds the classes of the contract, and no other", () => {
  expect([...CATALOGUE.keys()]).toEqual(Object.keys(CONTRACT));
});

test.for(Object.entries(CONTRACT))("%s has the properties of the contract", ([service, properties]) => {
  expect(CATALOGUE.get(service)).toStrictEqual(properties);
});

test("the optional properties are those of the contract, and none is one that each device of the class has", () => {
  expect(Object.fromEntries(OPTIONAL_PROPERTIES)).toStrictEqual(OPTIONAL);
  for (const [service, properties] of OPTIONAL_PROPERTIES)
    for (const { property } of properties)
      expect(CATALOGUE.get(service)?.map((each) => each.property)).not.toContain(property);
});

test("every class and property, optional ones too, has a title, and no other has", () => {
  const named = [...CATALOGUE].map(([service, properties]) => {
    const all = [...properties, ...(OPTIONAL_PROPERTIES.get(service) ?? [])];
    return [service, all.map(({ property }) => property).toSorted()];
  });
  const titled = [...CATALOGUE_TITLES].map(([service, { properties }]) => [
    service,
    Object.keys(properties).toSorted(),
  ]);
  expect(titled).toEqual(named);
});

test("a standard property is found by its service and name, and nothing else is", () => {
  expect(standardProperty("LightColor", "hue")).toMatchObject({ max: 360 });
  expect(standardProperty("Cover", "target")).toMatchObject({ max: 100 });
  expect(standardProperty("LightColor", "kelvin")).toBeUndefined();
  expect(standardProperty("toString", "hue")).toBeUndefined();
});
