/** Which sensor of a Tasmota device has which address, and what its numbers are, as its messages change. */
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { describe, expect, test } from "vitest";
import { KeptThings } from "../device/kept-things.ts";
import { Payload } from "../device/payload.ts";
import { deviceWith, reading, SOCKET, say, selectors, socketOf } from "./described-device.fixture.ts";
import { tasmotaDialect } from "./tasmota-dialect.ts";

const FRIDGE = { Id: "01131B5A6C1F", Temperature: 5 };
const ROOM = { Id: "0317979C3AFF", Temperature: 21 };
const CELLAR = { Id: "06FFFFFF0001", Temperature: 12 };
const C = { TempUnit: "C" };

/** One hub for the length of a test: what it keeps outlives each dialect. */
function hub() {
  const store = memoryStore();
  let kept = new KeptThings(store);
  const has = (sensors: object, config: object = { rl: [] }) => {
    const device = deviceWith(config, { ...sensors, ...C }, kept);
    kept.keepAddresses(device);
    return device;
  };
  const restart = async () => {
    kept = new KeptThings(store);
    await kept.load();
  };
  return { has, restart };
}

/** What each address of a device reads in a message. */
function values(device: ReturnType<ReturnType<typeof hub>["has"]>, message: object | string) {
  return Object.fromEntries(selectors(device).map((selector) => [selector, reading(device, selector, message)]));
}

describe("a sensor with a serial number", () => {
  test("keeps its address when the one before it dies, comes back, or another is added", async () => {
    const { has, restart } = hub();
    const two = has({ "DS18B20-1": FRIDGE, "DS18B20-2": ROOM });
    const message = { "DS18B20-1": FRIDGE, "DS18B20-2": ROOM, ...C };
    expect(values(two, message)).toEqual({ "Temperature:0.celsius": 5, "Temperature:1.celsius": 21 });
    const one = has({ DS18B20: ROOM });
    expect(values(one, { DS18B20: { ...ROOM, Temperature: 21.3 }, ...C })).toEqual({ "Temperature:1.celsius": 21.3 });
    await restart();
    const three = has({ "DS18B20-1": CELLAR, "DS18B20-2": ROOM, "DS18B20-3": FRIDGE });
    expect(values(three, { "DS18B20-1": CELLAR, "DS18B20-2": ROOM, "DS18B20-3": FRIDGE, ...C })).toEqual({
      "Temperature:2.celsius": 12,
      "Temperature:1.celsius": 21,
      "Temperature:0.celsius": 5,
    });
  });

  test("is read by it before the device is described anew, and the one that has gone is no value", () => {
    const device = hub().has({ "DS18B20-1": FRIDGE, "DS18B20-2": ROOM });
    expect(values(device, { DS18B20: ROOM, ...C })).toEqual({
      "Temperature:0.celsius": null,
      "Temperature:1.celsius": 21,
    });
    expect(values(device, { "DS18B20-1": ROOM, ...C })).toEqual({
      "Temperature:0.celsius": null,
      "Temperature:1.celsius": 21,
    });
  });

  test("that a message does not have is not reported; nor is one of which it does not have the number", () => {
    const device = hub().has({ "DS18B20-1": FRIDGE, "DS18B20-2": ROOM });
    const nothing = { "Temperature:0.celsius": 5, "Temperature:1.celsius": undefined };
    expect(values(device, { "DS18B20-1": FRIDGE, ...C })).toEqual(nothing);
    expect(values(device, { "DS18B20-1": FRIDGE, "DS18B20-2": { Temperature: 9 }, ...C })).toEqual(nothing);
  });
});

test("a sensor without a serial number is known by its name", () => {
  const { has } = hub();
  expect(selectors(has({ "BME280-76": { Temperature: 1 }, "BME280-77": { Temperature: 2 } }))).toEqual([
    "Temperature:0.celsius",
    "Temperature:1.celsius",
  ]);
  expect(selectors(has({ "BME280-77": { Temperature: 2 } }))).toEqual(["Temperature:1.celsius"]);
  // Which of both it is, the name does not say.
  expect(selectors(has({ BME280: { Temperature: 2 } }))).toEqual(["Temperature:2.celsius"]);
});

test("alike members of one sensor are distinguished by their numbers", () => {
  const { has } = hub();
  const device = has({ ANALOG: { Temperature1: 24.1, Temperature2: 25 }, DS18B20: ROOM });
  expect(values(device, { ANALOG: { Temperature1: 24.2, Temperature2: null }, ...C })).toEqual({
    "Temperature:0.celsius": undefined,
    "Temperature:1.celsius": 24.2,
    "Temperature:2.celsius": null,
  });
  expect(selectors(has({ ANALOG: { Temperature2: 25 } }))).toEqual(["Temperature:2.celsius"]);
});

describe("a meter", () => {
  const LISTS = {
    ENERGY: { Total: 12.5, Power: [100, 20], Factor: [0.9, 0.95], Voltage: 230, Current: [0.45, 0.1], Frequency: 50 },
  };

  test("with lists has the numbers of each channel", () => {
    const device = hub().has(LISTS);
    const message = {
      ENERGY: { Total: 12.6, Power: [101, 22], Factor: [1, 0.5], Voltage: 231, Current: ["0.46", 0.11] },
    };
    expect(values(device, message)).toEqual({
      "Electricity:0.energy": 12.6,
      "Electricity:0.watts": 101,
      "Electricity:1.watts": 22,
      "Readings:0.powerFactor": 1,
      "Readings:0.powerFactor2": 0.5,
      "Electricity:0.volts": 231,
      "Electricity:0.amperes": 0.46,
      "Electricity:1.amperes": 0.11,
      "Electricity:0.hertz": undefined,
    });
  });

  test("whose messages have plain numbers after lists says the first channel, and no other", () => {
    const device = hub().has({ ENERGY: { Power: [0, 0, 0] } });
    const watts = ["Electricity:0.watts", "Electricity:1.watts", "Electricity:2.watts"];
    const of = (Power: unknown) => watts.map((selector) => reading(device, selector, { ENERGY: { Power } }));
    expect(of([1, 2, 3])).toEqual([1, 2, 3]);
    expect(of(57)).toEqual([57, null, null]);
    expect(of("57")).toEqual([57, null, null]);
    expect(of([4, 5])).toEqual([4, 5, null]);
    expect(of(null)).toEqual([null, null, null]);
    expect(of(undefined)).toEqual([undefined, undefined, undefined]);
  });

  test("whose messages have lists after plain numbers says the first channel, and the sum of a total", () => {
    const device = hub().has({ ENERGY: { Power: 0, Total: 0 } });
    const of = (message: object) => values(device, { ENERGY: message });
    expect(of({ Power: [100, 20], Total: [1, 2.5] })).toEqual({
      "Electricity:0.watts": 100,
      "Electricity:0.energy": 3.5,
    });
    expect(of({ Power: [], Total: [1, null] })).toEqual({ "Electricity:0.watts": null, "Electricity:0.energy": null });
  });

  test("that is described with plain numbers after lists, and lists again, keeps the addresses", () => {
    const { has } = hub();
    const lists = selectors(has({ ENERGY: { Power: [1, 2], Total: [1, 2] } }));
    expect(lists).toEqual(
      [1, 2].flatMap((n) => `Electricity:${n - 1}.watts`).concat(["Electricity:0.energy", "Electricity:1.energy"]),
    );
    // A total of all channels is another number than that of the first.
    expect(selectors(has({ ENERGY: { Power: 1, Total: 3 } }))).toEqual(["Electricity:0.watts", "Electricity:2.energy"]);
    expect(selectors(has({ ENERGY: { Power: [1, 2], Total: [1, 2] } }))).toEqual(lists);
  });

  test("that the hub knew before keeps its numbers beside lists that it did not read then", () => {
    const { has } = hub();
    expect(selectors(has({ ENERGY: { Power: [1, 2] }, INA219: { Power: 3 } }))).toEqual([
      "Electricity:1.watts",
      "Electricity:2.watts",
      "Electricity:0.watts",
    ]);
  });
});

describe("a number of a sensor", () => {
  const device = hub().has({ A: { Temperature: 1, Humidity: 1, Pressure: 1, Battery: 1, CarbonDioxide: 1 } });
  test.for<[message: string, selector: string, value: unknown]>([
    ['{"A":{"Temperature":nan,"Humidity":40},"TempUnit":"C"}', "Temperature:0.celsius", null],
    ['{"A":{"Temperature":nan,"Humidity":40},"TempUnit":"C"}', "Humidity:0.percent", 40],
    ['{"A":{"Temperature":"20.5"},"TempUnit":"C"}', "Temperature:0.celsius", 20.5],
    ['{"A":{"Temperature":68},"TempUnit":"F"}', "Temperature:0.celsius", 20],
    ['{"A":{"Temperature":20}}', "Temperature:0.celsius", null],
    ['{"A":{"Temperature":20},"TempUnit":"?"}', "Temperature:0.celsius", null],
    ['{"A":{"Temperature":-127},"TempUnit":"C"}', "Temperature:0.celsius", null],
    ['{"A":{"Temperature":"none"},"TempUnit":"C"}', "Temperature:0.celsius", null],
    ['{"A":{"Humidity":104}}', "Humidity:0.percent", 104],
    ['{"A":{"Battery":255}}', "Battery:0.percent", null],
    ['{"A":{"Battery":100.3}}', "Battery:0.percent", 100],
    ['{"A":{"CarbonDioxide":65535}}', "AirQuality:0.co2", null],
    ['{"A":{"Pressure":760},"PressureUnit":"mmHg"}', "Pressure:0.hectopascal", 1013.25],
    ['{"A":{"Pressure":760}}', "Pressure:0.hectopascal", null],
    ['{"StatusSNS":{"A":{"Humidity":41}}}', "Humidity:0.percent", 41],
    ['{"B":{"Humidity":40}}', "Humidity:0.percent", undefined],
  ])("in %s is, as %s, %j", ([message, selector, value]) => {
    expect(reading(device, selector, message)).toBe(value);
  });
});

describe("a description of sensors", () => {
  test("names what is not understood, and counts it", () => {
    const dialect = tasmotaDialect();
    say(dialect, "config", SOCKET);
    say(dialect, "sensors", {
      sn: { ENERGY: { Power: 1, Period: 3 }, Switch1: "OFF", A: { Pressure: 1 }, PressureUnit: "bar" },
    });
    expect(dialect.ignored).toEqual({ unknownSensor: 3 });
    expect(dialect.problems).toEqual([
      "tasmota/discovery/DC4F22A1B2C3/sensors: not understood: Switch1, ENERGY.Period, A.Pressure",
    ]);
  });

  test.for(["config", "sensors"] as const)(
    "or of the device (%s) that is cut off removes nothing, and is a problem",
    (what) => {
      const dialect = tasmotaDialect();
      const whole = { config: SOCKET, sensors: { sn: { A: { Humidity: 1 } } } };
      say(dialect, "config", whole.config);
      say(dialect, "sensors", whole.sensors);
      const before = socketOf(dialect);
      const text = JSON.stringify(whole[what]).slice(0, -3);
      for (const payload of [text, text, '"text"'])
        expect(
          dialect.take({
            topic: `tasmota/discovery/DC4F22A1B2C3/${what}`,
            payload: new Payload(payload),
            retained: true,
          }),
        ).toBe(true);
      expect(socketOf(dialect)).toBe(before);
      expect(dialect.problems).toEqual([
        `tasmota/discovery/DC4F22A1B2C3/${what}: the message is cut off or no JSON; what was described before holds`,
        `tasmota/discovery/DC4F22A1B2C3/${what}: the message is no description; what was described before holds`,
      ]);
    },
  );
});
