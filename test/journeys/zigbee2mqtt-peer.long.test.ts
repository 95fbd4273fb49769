/** The real zigbee2mqtt on a real broker, with a simulated radio: what tests of the MQTT driver take for granted of these peers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mosquitto, startMosquitto } from "../parts/mosquitto.ts";
import { BridgeTopics, type Json } from "../parts/zigbee2mqtt/bridge-topics.ts";
import { startZigbee2Mqtt, type Zigbee2Mqtt } from "../parts/zigbee2mqtt.ts";

/** Only ends a hung test, ms. */
/** A status of the Cluster Library (ZCL, 2.6.3). */
const INVALID_VALUE = 0x87;
const DEVICES = {
  lamp: "colour-lamp",
  plug: "plug",
  door: "contact-sensor",
  remote: "remote",
  thermostat: "thermostat",
} as const;

let broker: Mosquitto;
let bridge: Zigbee2Mqtt;
let topics: BridgeTopics;

beforeAll(async () => {
  broker = await startMosquitto();
  topics = await BridgeTopics.listen(broker.url);
  bridge = await startZigbee2Mqtt({ broker: broker.url, devices: DEVICES, homeAssistant: true, availability: true });
});
afterAll(async () => {
  await topics?.[Symbol.asyncDispose]();
  await bridge?.[Symbol.asyncDispose]();
  await broker?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  for (const name of Object.keys(DEVICES)) {
    bridge.radio.speak(name);
    bridge.radio.accept(name);
  }
});

describe("zigbee2mqtt with a simulated radio", () => {
  it("describes the devices that have joined, each as its model", async () => {
    const described = [
      ["Coordinator", null, true],
      ["door", "SNZB-04_eWeLink", true],
      ["lamp", "LED1924G9", true],
      ["plug", "SP 240", true],
      ["remote", "E1743", true],
      ["thermostat", "Zen-01-W", true],
    ];
    const isDescribed = (value: Json) => JSON.stringify(modelsOf(value)) === JSON.stringify(described);
    const devices = await topics.state("zigbee2mqtt/bridge/devices", isDescribed);
    expect(devices).toContainEqual(expect.objectContaining({ ieee_address: bridge.ieee("lamp"), type: "Router" }));
    expect(devices).toContainEqual(expect.objectContaining({ ieee_address: bridge.ieee("door"), type: "EndDevice" }));
  });

  it("describes them for Home Assistant too, and reports which can be reached", async () => {
    const topic = `homeassistant/light/${bridge.ieee("lamp")}/light/config`;
    expect(await topics.state(topic)).toMatchObject({ schema: "json" });
    expect(await topics.state("zigbee2mqtt/lamp/availability")).toEqual({ state: "online" });
  });

  it.for<[set: Json, command: string, payload: Json, expected: Json]>([
    [{ state: "ON" }, "on", {}, { state: "ON" }],
    [{ brightness: 100 }, "moveToLevelWithOnOff", { level: 100 }, { state: "ON", brightness: 100 }],
    [{ color_temp: 300 }, "moveToColorTemp", { colortemp: 300 }, { color_mode: "color_temp", color_temp: 300 }],
    [
      { color: { x: 0.5, y: 0.25 } },
      "moveToColor",
      { colorx: 32_768, colory: 16_384 },
      { color_mode: "xy", color: expect.objectContaining({ x: 0.5, y: 0.25 }) },
    ],
    [{ state: "OFF" }, "off", {}, { state: "OFF" }],
  ])("a lamp that is set to %j receives %s, and its state is published", async ([set, command, payload, expected]) => {
    const published = topics.next("lamp", (state) => matches(state, expected));
    await topics.say("lamp/set", set);
    const received = await bridge.radio.hears("lamp", (each) => each.command === command);
    expect(received).toMatchObject({ endpoint: 1, payload });
    await published;
  });

  it("a thermostat's setpoint is written, and its mode read from it on request", async () => {
    const set = topics.next("thermostat", (state) => state.occupied_heating_setpoint === 21.5);
    await topics.say("thermostat/set", { occupied_heating_setpoint: 21.5 });
    await set;
    expect(bridge.radio.attributes("thermostat", "hvacThermostat")).toMatchObject({ occupiedHeatingSetpoint: 2150 });
    const read = topics.next("thermostat", (state) => state.system_mode === "heat");
    await topics.say("thermostat/get", { system_mode: "" });
    await read;
  });

  it.for<[name: keyof typeof DEVICES, cluster: string, attributes: Json, expected: Json]>([
    ["lamp", "genOnOff", { onOff: 1 }, { state: "ON" }],
    ["plug", "genOnOff", { onOff: 0 }, { state: "OFF" }],
    ["plug", "haElectricalMeasurement", { activePower: 57 }, { power: 57 }],
    ["plug", "seMetering", { currentSummDelivered: 2000 }, { energy: 20 }],
    ["thermostat", "hvacThermostat", { localTemp: 1925 }, { local_temperature: 19.25 }],
    ["remote", "genPowerCfg", { batteryPercentageRemaining: 100 }, { battery: 50 }],
  ])("a report of the %s (%s %j) is published", async ([name, cluster, attributes, expected]) => {
    const published = topics.next(name, (state) => matches(state, expected));
    await bridge.radio.report(name, cluster, attributes);
    await published;
  });

  it.for([
    [1, false],
    [0, true],
  ])("an alarm of the contact sensor (zone status %d) is published as contact %j", async ([zonestatus, contact]) => {
    const published = topics.next("door", (state) => state.contact === contact);
    await bridge.radio.command("door", "ssIasZone", "statusChangeNotification", {
      zonestatus,
      extendedstatus: 0,
      zoneID: 23,
      delay: 0,
    });
    await published;
  });

  it.for<[cluster: string, command: string, payload: Json, action: string]>([
    ["genOnOff", "on", {}, "on"],
    ["genOnOff", "off", {}, "off"],
    ["genLevelCtrl", "moveWithOnOff", { movemode: 0, rate: 83 }, "brightness_move_up"],
    ["genLevelCtrl", "stopWithOnOff", {}, "brightness_stop"],
  ])("a button of the remote (%s %s) is published as an action", async ([cluster, command, payload, action]) => {
    const published = topics.next("remote", (state) => state.action === action);
    await bridge.radio.command("remote", cluster, command, payload);
    await published;
  });
});

describe("a device that does not carry out commands", () => {
  /** The published states of a device that is set, until zigbee2mqtt has given up and the lamp has reported something after that. */
  async function publishedAfter(name: keyof typeof DEVICES, set: Json): Promise<readonly Json[]> {
    const failed = topics.next(
      "bridge/logging",
      ({ level, message }) => level === "error" && String(message).includes(`'${name}'`),
    );
    const published = topics.all(name);
    await topics.say(`${name}/set`, set);
    await failed;
    const after = topics.next("lamp", () => true);
    await bridge.radio.report("lamp", "genLevelCtrl", { currentLevel: 77 });
    await after;
    return published();
  }

  async function plugIsOff(): Promise<void> {
    const published = topics.next("plug", ({ state }) => state === "OFF");
    await bridge.radio.report("plug", "genOnOff", { onOff: 0 });
    await published;
  }

  it("is silent: nothing is published of it, and its reports are not received", async () => {
    bridge.radio.silence("plug");
    const before = bridge.radio.received("plug").length;
    expect(await publishedAfter("plug", { state: "ON" })).toEqual([]);
    expect(bridge.radio.received("plug")).toHaveLength(before);
    const published = topics.all("plug");
    await bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 99 });
    bridge.radio.speak("plug");
    const again = topics.next("plug", ({ power }) => power === 100);
    await bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 100 });
    await again;
    expect(published().map(({ power }) => power)).toEqual([100]);
  });

  it("refuses a command: zigbee2mqtt publishes that it is on all the same, and the true value when it is read", async () => {
    await plugIsOff();
    bridge.radio.refuse("plug", INVALID_VALUE);
    const published = topics.next("plug", ({ state }) => state === "ON");
    await topics.say("plug/set", { state: "ON" });
    await published;
    expect(bridge.radio.attributes("plug", "genOnOff")).toMatchObject({ onOff: 0 });
    const truth = topics.next("plug", ({ state }) => state === "OFF");
    await topics.say("plug/get", { state: "" });
    await truth;
  });

  it("refuses that a value is written: nothing is published of it, and it stays as it was", async () => {
    const before = bridge.radio.attributes("thermostat", "hvacThermostat");
    bridge.radio.refuse("thermostat", INVALID_VALUE);
    expect(await publishedAfter("thermostat", { occupied_heating_setpoint: 25 })).toEqual([]);
    expect(bridge.radio.attributes("thermostat", "hvacThermostat")).toEqual(before);
  });

  it("acts, and its answer is lost: nothing is published, though it is on", async () => {
    await plugIsOff();
    bridge.radio.loseAnswers("plug");
    expect(await publishedAfter("plug", { state: "ON" })).toEqual([]);
    expect(bridge.radio.attributes("plug", "genOnOff")).toMatchObject({ onOff: 1 });
    bridge.radio.speak("plug");
    const published = topics.next("plug", ({ state }) => state === "ON");
    await topics.say("plug/get", { state: "" });
    await published;
  });
});

it("zigbee2mqtt reaches a broker that wants TLS and a password", async () => {
  const [user, devices] = [{ name: "bridge", password: "secret" }, { lamp: "colour-lamp" } as const];
  await using guarded = await startMosquitto({ tls: true, users: { [user.name]: user.password } });
  await using there = await startZigbee2Mqtt({ broker: guarded.url, ca: guarded.ca, user, devices });
  expect(there.log).toContain("Connected to MQTT server");
});

describe("devices that come and go", () => {
  const interviewed = (name: string) =>
    topics.next("bridge/event", ({ data }) => matches(data, { status: "successful", ieee_address: bridge.ieee(name) }));

  it("a device that leaves is announced and no longer described, and one that joins again is described", async () => {
    const left = topics.next("bridge/event", ({ type }) => type === "device_leave");
    const without = topics.next("bridge/devices", (devices) => !namesOf(devices).includes("door"));
    await bridge.radio.leave("door");
    expect(await left).toMatchObject({ data: { friendly_name: "door", ieee_address: bridge.ieee("door") } });
    await without;
    const joined = topics.next("bridge/event", ({ type }) => type === "device_joined");
    const known = interviewed("door");
    await bridge.radio.join("door");
    expect(await joined).toMatchObject({ data: { friendly_name: "door" } });
    await known;
    await topics.state("zigbee2mqtt/bridge/devices", (devices) => namesOf(devices).includes("door"));
  });

  it("a device that zigbee2mqtt removes is asked to leave, is no longer described, and can join again", async () => {
    const removed = topics.next("bridge/response/device/remove", () => true);
    await topics.say("bridge/request/device/remove", { id: "remote" });
    expect(await removed).toMatchObject({ status: "ok" });
    await topics.state("zigbee2mqtt/bridge/devices", (devices) => !namesOf(devices).includes("remote"));
    // With its name zigbee2mqtt has forgotten who it was, and interviews it anew.
    const known = interviewed("remote");
    await bridge.radio.join("remote");
    await known;
    const published = topics.next(bridge.ieee("remote"), ({ action }) => action === "off");
    await bridge.radio.command("remote", "genOnOff", "off");
    await published;
  });

  it("zigbee2mqtt that was killed is offline, and comes back with the same devices", async () => {
    const before = await topics.state("zigbee2mqtt/bridge/devices");
    const offline = topics.next("bridge/state", ({ state }) => state === "offline");
    await bridge.kill();
    await offline;
    const described = topics.next("bridge/devices", () => true);
    const online = topics.next("bridge/state", ({ state }) => state === "online");
    await bridge.restart();
    await online;
    const after = await described;
    expect(namesOf(after)).toEqual(namesOf(before));
    const published = topics.next("lamp", ({ state }) => state === "ON");
    await topics.say("lamp/set", { state: "ON" });
    await published;
  });

  it("a device that was silent for long is published as offline, and as online when its next frame is received", async () => {
    const availability = (name: string, state: string) =>
      topics.state(`zigbee2mqtt/${name}/availability`, (value) => value.state === state);
    await bridge.end();
    bridge.radio.silence("plug");
    const offline = topics.next("plug/availability", ({ state }) => state === "offline");
    await bridge.restart(30);
    await offline;
    await availability("lamp", "online");
    bridge.radio.speak("plug");
    await bridge.radio.report("plug", "genOnOff", { onOff: 0 });
    await availability("plug", "online");
  });

  it("zigbee2mqtt comes back by itself when its broker does", async () => {
    await broker.kill();
    await broker.restart();
    await using other = await BridgeTopics.listen(broker.url);
    await other.state("zigbee2mqtt/bridge/state", ({ state }) => state === "online");
    const published = other.next("plug", ({ power }) => power === 12);
    await bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 12 });
    await published;
  });
});

function matches(state: unknown, expected: Json): boolean {
  try {
    expect(state).toMatchObject(expected);
    return true;
  } catch {
    return false;
  }
}

/** Name, model, and whether its interview was a success, of each device of `bridge/devices`, by name. */
function modelsOf(devices: unknown): unknown[][] {
  const all: readonly Json[] = Array.isArray(devices) ? devices : [];
  const modelOf = ({ friendly_name, definition, interview_state }: Json) => {
    const model = typeof definition === "object" && definition !== null && "model" in definition && definition.model;
    return [friendly_name, model || null, interview_state === "SUCCESSFUL"];
  };
  return all.map(modelOf).sort();
}

function namesOf(devices: unknown): unknown[] {
  return modelsOf(devices).map(([name]) => name);
}
