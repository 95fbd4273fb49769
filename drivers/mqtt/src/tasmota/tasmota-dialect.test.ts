import { describe, expect, test } from "vitest";
import { Payload } from "../device/payload.ts";
import { deviceWith, find, ID, MAC, reading, SOCKET, say, selectors, writing } from "./described-device.fixture.ts";
import { tasmotaDialect } from "./tasmota-dialect.ts";

test("a socket is a switch, by its own MAC", () => {
  const socket = deviceWith({});
  expect(socket).toMatchObject({
    edgeId: ID,
    about: { manufacturer: "Tasmota", model: "Sonoff S31", firmware: "14.2.0", name: "Socket" },
    availability: { topics: [{ topic: "tele/socket/LWT" }] },
  });
  expect(selectors(socket)).toEqual(["Switch:0.on"]);
  expect(writing(socket, "Switch:0.on", true)).toEqual(["cmnd/socket/POWER1", "ON"]);
  expect(find(socket, "Switch:0.on")).toMatchObject({
    state: { topic: "stat/socket/RESULT" },
    ask: { topic: "cmnd/socket/STATE", payload: "" },
  });
  const says = (message: object) => reading(socket, "Switch:0.on", message);
  expect([{ POWER: "ON" }, { POWER1: "OFF" }, { POWER2: "ON" }, {}].map(says)).toEqual([
    true,
    false,
    undefined,
    undefined,
  ]);
  const lwt = ["Online", "Offline", "?"].map((text) => socket.availability.topics[0]?.read(new Payload(text)));
  expect(lwt).toEqual([true, false, undefined]);
});

test("several relays are instances by their numbers", () => {
  const strip = deviceWith({ rl: [1, 1, 0, 1] });
  expect(selectors(strip)).toEqual(["Switch:1.on", "Switch:2.on", "Switch:4.on"]);
  expect(writing(strip, "Switch:4.on", false)).toEqual(["cmnd/socket/POWER4", "OFF"]);
});

describe("a light", () => {
  test.for([
    [1, ["LightLevel:0.level"]],
    [2, ["LightLevel:0.level", "LightTemperature:0.kelvin"]],
    [3, ["LightLevel:0.level", "LightColor:0.hue", "LightColor:0.saturation"]],
    [5, ["LightLevel:0.level", "LightTemperature:0.kelvin", "LightColor:0.hue", "LightColor:0.saturation"]],
  ] as const)("of %d channels has what they can do", ([lt_st, expected]) => {
    expect(selectors(deviceWith({ rl: [2], lt_st }))).toEqual(["Switch:0.on", ...expected]);
  });

  const light = deviceWith({ rl: [2], lt_st: 5 });
  test.for([
    ["LightLevel:0.level", { Dimmer: 40 }, 40],
    ["LightTemperature:0.kelvin", { CT: 250 }, 4000],
    ["LightColor:0.hue", { HSBColor: "210,80,60" }, 210],
    ["LightColor:0.saturation", { HSBColor: "210,80,60" }, 80],
    ["LightColor:0.hue", { HSBColor: "blue" }, null],
    ["LightColor:0.hue", { HSBColor: 7 }, null],
  ] as const)("says %s by %j", ([selector, message, value]) => {
    expect(reading(light, selector, message)).toBe(value);
  });

  test.for([
    ["LightLevel:0.level", 40.4, ["cmnd/socket/Dimmer", "40"]],
    ["LightTemperature:0.kelvin", 2700, ["cmnd/socket/CT", "370"]],
    ["LightColor:0.hue", 10, ["cmnd/socket/HSBColor1", "10"]],
    ["LightColor:0.saturation", 90, ["cmnd/socket/HSBColor2", "90"]],
  ] as const)("is set in %s to %d by %j", ([selector, value, expected]) => {
    expect(writing(light, selector, value)).toEqual(expected);
  });
});

test.for([
  [0, 30, "opening", 60],
  [1, 70, "closing", 40],
] as const)("a shutter with the options %d is %d %% open and %s, to %d", ([option, position, movement, target]) => {
  const shutter = deviceWith({ rl: [3, 3], sho: [option] });
  const message = { Shutter1: { Position: 30, Direction: 1, Target: 60 } };
  expect(selectors(shutter)).toEqual(["Cover:0.position", "Cover:0.target", "Cover:0.movement"]);
  expect(reading(shutter, "Cover:0.position", message)).toBe(position);
  expect(reading(shutter, "Cover:0.target", message)).toBe(target);
  expect(reading(shutter, "Cover:0.movement", message)).toBe(movement);
  expect(reading(shutter, "Cover:0.movement", { Shutter1: { Direction: 0 } })).toBe("stopped");
  expect(writing(shutter, "Cover:0.target", position)).toEqual(["cmnd/socket/ShutterPosition1", "30"]);
});

test("a shutter is asked where it is by its own command: the state of the device does not say it", () => {
  const shutter = deviceWith({ rl: [3, 3] });
  expect(shutter.properties.map(({ ask }) => ask?.topic)).toEqual(Array(3).fill("cmnd/socket/ShutterPosition1"));
  // It reports the target at once, before the shutter is there.
  expect(reading(shutter, "Cover:0.position", { ShutterPosition1: 60 })).toBe(undefined);
});

describe("topics", () => {
  test.for([
    ["%prefix%/%topic%/", "socket", "stat/socket/RESULT", "cmnd/socket/POWER1"],
    ["home/%topic%/%prefix%", "socket", "home/socket/stat/RESULT", "home/socket/cmnd/POWER1"],
    ["%prefix%/%hostname%/%id%/", "x", `stat/socket/${MAC}/RESULT`, `cmnd/socket/${MAC}/POWER1`],
    ["home/%topic%/", "socket", "home/socket/RESULT", "home/socket/cmnd/POWER1"],
    ["%prefix%/%topic%/", "a$&b", "stat/a$&b/RESULT", "cmnd/a$&b/POWER1"],
  ] as const)("%s of %s are %s and %s", ([ft, t, result, command]) => {
    const device = deviceWith({ ft, t });
    expect(find(device, "Switch:0.on")?.state?.topic).toBe(result);
    expect(writing(device, "Switch:0.on", true)).toEqual([command, "ON"]);
  });
});

describe("with option 4, which answers each command on a topic of its own,", () => {
  test("one relay is set and read on its own topic", () => {
    const socket = deviceWith({ so: { "4": 1 } });
    expect(find(socket, "Switch:0.on")).toMatchObject({
      ...{ state: { topic: "stat/socket/POWER" }, ask: { topic: "cmnd/socket/POWER", payload: "" } },
    });
    expect(reading(socket, "Switch:0.on", { POWER: "ON" })).toBe(true);
    expect(find(socket, "Switch:0.on")?.state?.read(new Payload("ON"))).toBe(undefined);
  });

  test("several relays are each reported on their own, and what several commands change is left aside", () => {
    const light = deviceWith({ so: { "4": 1, "73": 1 }, rl: [1, 2], lt_st: 2, btn: [1] });
    expect(selectors(light)).toEqual(["Switch:1.on", "Switch:2.on"]);
    expect(light.properties.map(({ state }) => state?.topic)).toEqual(["stat/socket/POWER1", "stat/socket/POWER2"]);
    expect(light.leftAside).toEqual({ option4: 3 });
  });
});

test.for([
  [{ rl: [1, 7] }, ["Switch:0.on"], { unknownRelay: 1 }],
  [{ rl: [3, 3, 3] }, ["Cover:0.position", "Cover:0.target", "Cover:0.movement"], { unknownRelay: 1 }],
  [{ rl: [2, 2], lt_st: 1 }, ["Switch:1.on", "Switch:2.on", "LightLevel:0.level"], { moreLights: 1 }],
  [{ rl: [2, 2], lt_st: 2, so: { "68": 1 } }, ["Switch:1.on", "Switch:2.on"], { moreLights: 2 }],
  [{ rl: [2], lt_st: 0 }, ["Switch:0.on"], {}],
  [{ swc: [-1, 1, 15] }, ["Switch:0.on"], { switchInput: 2 }],
] as const)("%j is %j, and the rest is counted", ([config, expected, leftAside]) => {
  const device = deviceWith(config);
  expect(selectors(device)).toEqual(expected);
  expect(device.leftAside).toEqual(leftAside);
});

test("buttons tell their presses where option 73 is on", () => {
  const button = { rl: [1], btn: [1, 0] };
  expect(selectors(deviceWith(button))).toEqual(["Switch:0.on"]);
  const remote = deviceWith({ ...button, so: { "73": 1 } });
  expect(selectors(remote)).toEqual(["Switch:0.on", "Button:1.event"]);
  const says = (action: string) => reading(remote, "Button:1.event", { Button1: { Action: action } });
  expect(["SINGLE", "DOUBLE", "HOLD", "TRIPLE"].map(says)).toEqual(["press", "double", "long", undefined]);
});

describe("sensors", () => {
  const sensors = {
    Time: "2026-11-22T10:00:00",
    ENERGY: { Total: 1.2, Power: 57, Voltage: 230, Current: 0.25, Factor: 0.9 },
    AM2301: { Temperature: 68, Humidity: 40 },
    DS18B20: { Id: "01", Temperature: 70 },
    TempUnit: "F",
  };

  test("are instances of their classes, in the units of these", () => {
    const device = deviceWith({}, sensors);
    expect(selectors(device)).toEqual([
      "Switch:0.on",
      "Electricity:0.energy",
      "Electricity:0.watts",
      "Electricity:0.volts",
      "Electricity:0.amperes",
      "Readings:0.powerFactor",
      "Temperature:0.celsius",
      "Humidity:0.percent",
      "Temperature:1.celsius",
    ]);
    expect(reading(device, "Temperature:0.celsius", sensors)).toBe(20);
    expect(reading(device, "Electricity:0.watts", { ENERGY: { Power: 3 } })).toBe(3);
    expect(find(device, "Electricity:0.watts")?.state?.topic).toBe("tele/socket/SENSOR");
    expect(device.leftAside).toEqual({});
  });

  test.for([
    [{ TempUnit: "F" }, { A: { Temperature: 68 }, TempUnit: "F" }, "Temperature:0.celsius", 20],
    [{ TempUnit: "F" }, { A: { Temperature: 68 } }, "Temperature:0.celsius", null],
    [{ TempUnit: "F" }, { A: { Temperature: 20 }, TempUnit: "C" }, "Temperature:0.celsius", 20],
    [{ TempUnit: "F" }, { A: { Temperature: 20 }, TempUnit: "R" }, "Temperature:0.celsius", null],
    [{ TempUnit: "F" }, { A: { Temperature: null }, TempUnit: "F" }, "Temperature:0.celsius", null],
    [{ TempUnit: "F" }, { A: { Temperature: "warm" }, TempUnit: "F" }, "Temperature:0.celsius", null],
    [{}, { A: { Pressure: 1013.2 }, PressureUnit: "hPa" }, "Pressure:0.hectopascal", 1013.2],
    [{ PressureUnit: "hPa" }, { A: { Pressure: 1013.2 } }, "Pressure:0.hectopascal", null],
    [{ PressureUnit: "mmHg" }, { A: { Pressure: 760 }, PressureUnit: "mmHg" }, "Pressure:0.hectopascal", 1013.25],
    [{ PressureUnit: "inHg" }, { A: { Pressure: 29.92 }, PressureUnit: "inHg" }, "Pressure:0.hectopascal", 1013.21],
    [{}, { A: { Battery: 88 } }, "Battery:0.percent", 88],
    [{}, { B: { Battery: 88 } }, "Battery:0.percent", undefined],
  ] as const)("described with %j say %j as %s of %s", ([about, message, selector, value]) => {
    const device = deviceWith({}, { A: { Temperature: 1, Pressure: 1, Battery: 1 }, ...about });
    expect(reading(device, selector, message)).toBe(value);
  });

  test("that cannot be read for the moment are there; in a unit that is not understood they are not", () => {
    const device = deviceWith({}, { A: { Temperature: null }, B: { Pressure: 2 }, PressureUnit: "bar" });
    expect(selectors(device)).toEqual(["Switch:0.on", "Temperature:0.celsius"]);
    expect(device.leftAside).toEqual({ unknownSensor: 1 });
  });

  test("are as many as a device may have", () => {
    const many = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`S${n}`, { Temperature: n, Humidity: n }]));
    const device = deviceWith({}, many);
    expect(device.properties).toHaveLength(64);
    expect(device.leftAside).toEqual({ tooMany: 3001 - 64 });
  });

  test("whose description makes no sense are a problem, and the rest of the device is there", () => {
    const dialect = tasmotaDialect();
    say(dialect, "config", SOCKET);
    say(dialect, "sensors", { sn: [1] });
    expect(dialect.devices.get(ID)).toMatchObject({ properties: [{}], leftAside: { badSensors: 1 } });
    expect(dialect.problems).toEqual([`tasmota/discovery/${MAC}/sensors: sn is not a JSON object`]);
  });
});

describe("a description", () => {
  test.for([
    ["config", "{", "badConfig"],
    ["config", { ...SOCKET, mac: "lamp" }, "badMac"],
    ["config", { ...SOCKET, t: "a/#" }, "badTopic"],
    ["config", { ...SOCKET, ft: "%prefix%/%hostname%/", hn: undefined }, "badTopic"],
    ["config", { ...SOCKET, mac: "DC4F22000000" }, "otherMac"],
    ["config", { ...SOCKET, tp: ["cmnd"] }, "badConfig"],
    ["sensors", { sn: {} }, "withoutConfig"],
  ] as const)("%s that makes no sense (%#) is counted", ([what, payload, why]) => {
    const dialect = tasmotaDialect();
    expect(say(dialect, what, payload)).toBe(true);
    expect([dialect.devices.size, dialect.ignored]).toEqual([0, { [why]: 1 }]);
  });

  test("that is refused is reported with its topic and why, the last fifty of them", () => {
    const dialect = tasmotaDialect();
    for (let n = 0; n < 60; n++) say(dialect, "config", { ...SOCKET, t: `#${"x".repeat(200)}`, ft: `%topic%/${n}/` });
    expect(dialect.problems).toHaveLength(50);
    expect(dialect.problems.at(-1)).toBe(
      `tasmota/discovery/${MAC}/config: ft, t and tp do not make valid topics: "%topic%/59/"`,
    );
  });

  test("of more than a thousand devices leaves the rest aside", () => {
    const dialect = tasmotaDialect();
    for (let n = 0; n < 1001; n++) {
      const mac = `DC4F22${n.toString(16).toUpperCase().padStart(6, "0")}`;
      say(dialect, "config", { ...SOCKET, mac }, mac);
    }
    expect([dialect.devices.size, dialect.ignored]).toEqual([1000, { tooManyDevices: 1 }]);
  });

  test("that is taken back takes the device away; the same once more changes nothing", () => {
    const dialect = tasmotaDialect();
    say(dialect, "config", SOCKET);
    const before = dialect.devices.get(ID);
    say(dialect, "config", SOCKET);
    expect(dialect.devices.get(ID)).toBe(before);
    say(dialect, "config", "");
    expect(dialect.devices.size).toBe(0);
  });

  test("on another topic is another's", () => {
    const payload = new Payload("{}");
    expect(tasmotaDialect().take({ topic: "tasmota/discovery/x/other", payload, retained: false })).toBe(false);
  });
});
