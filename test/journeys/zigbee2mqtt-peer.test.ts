/** The real zigbee2mqtt on a real broker, with a simulated radio: what tests of the MQTT driver take for granted of these peers. */
import { connectAsync } from "mqtt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Mosquitto, startMosquitto } from "../parts/mosquitto.ts";
import { startZigbee2Mqtt, type Zigbee2Mqtt } from "../parts/zigbee2mqtt.ts";

type Json = Readonly<Record<string, unknown>>;

/** Only ends a hung test, ms. */
const LIMIT_MS = 60_000;
const DEVICES = {
  lamp: "colour-lamp",
  plug: "plug",
  door: "contact-sensor",
  remote: "remote",
  thermostat: "thermostat",
} as const;

let broker: Mosquitto;
let bridge: Zigbee2Mqtt;
let ear: Ear;

beforeAll(async () => {
  broker = await startMosquitto();
  ear = await Ear.listen(broker.url);
  bridge = await startZigbee2Mqtt({ broker: broker.url, devices: DEVICES, homeAssistant: true, availability: true });
}, LIMIT_MS);
afterAll(async () => {
  await ear?.[Symbol.asyncDispose]();
  await bridge?.[Symbol.asyncDispose]();
  await broker?.[Symbol.asyncDispose]();
});
beforeEach(() => {
  for (const name of Object.keys(DEVICES)) {
    bridge.radio.speak(name);
    bridge.radio.accept(name);
  }
});

describe("zigbee2mqtt with a simulated radio", { timeout: LIMIT_MS }, () => {
  it("describes the devices that have joined, each as its model", () => {
    const devices = ear.last("bridge/devices");
    expect(Array.isArray(devices) && devices.map(modelOf).sort()).toEqual([
      ["Coordinator", undefined, true],
      ["door", "SNZB-04_eWeLink", true],
      ["lamp", "LED1924G9", true],
      ["plug", "SP 240", true],
      ["remote", "E1743", true],
      ["thermostat", "Zen-01-W", true],
    ]);
    expect(devices).toContainEqual(expect.objectContaining({ ieee_address: bridge.ieee("lamp"), type: "Router" }));
    expect(devices).toContainEqual(expect.objectContaining({ ieee_address: bridge.ieee("door"), type: "EndDevice" }));
  });

  it("describes them for Home Assistant too, and tells which can be reached", async () => {
    const topic = `homeassistant/light/${bridge.ieee("lamp")}/light/config`;
    expect(await ear.kept(topic)).toMatchObject({ schema: "json" });
    expect(await ear.kept("zigbee2mqtt/lamp/availability")).toEqual({ state: "online" });
  });

  it.for<[set: Json, command: string, payload: Json, told: Json]>([
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
  ])("a lamp that is set to %j hears %s, and is told to be so", async ([set, command, payload, told]) => {
    const published = ear.next("lamp", (state) => matches(state, told));
    await ear.say("lamp/set", set);
    const heard = await bridge.radio.hears("lamp", (each) => each.command === command);
    expect(heard).toMatchObject({ endpoint: 1, payload });
    await published;
  });

  it("a thermostat's setpoint is written, and its mode read from it when asked for", async () => {
    const set = ear.next("thermostat", (state) => state.occupied_heating_setpoint === 21.5);
    await ear.say("thermostat/set", { occupied_heating_setpoint: 21.5 });
    await set;
    expect(bridge.radio.attributes("thermostat", "hvacThermostat")).toMatchObject({ occupiedHeatingSetpoint: 2150 });
    const read = ear.next("thermostat", (state) => state.system_mode === "heat");
    await ear.say("thermostat/get", { system_mode: "" });
    await read;
  });

  it.for<[name: keyof typeof DEVICES, cluster: string, attributes: Json, told: Json]>([
    ["lamp", "genOnOff", { onOff: 1 }, { state: "ON" }],
    ["plug", "genOnOff", { onOff: 0 }, { state: "OFF" }],
    ["plug", "haElectricalMeasurement", { activePower: 57 }, { power: 57 }],
    ["plug", "seMetering", { currentSummDelivered: 2000 }, { energy: 20 }],
    ["thermostat", "hvacThermostat", { localTemp: 1925 }, { local_temperature: 19.25 }],
    ["remote", "genPowerCfg", { batteryPercentageRemaining: 100 }, { battery: 50 }],
  ])("a report of the %s (%s %j) is published", async ([name, cluster, attributes, told]) => {
    const published = ear.next(name, (state) => matches(state, told));
    bridge.radio.report(name, cluster, attributes);
    await published;
  });

  it.for([
    [1, false],
    [0, true],
  ])("an alarm of the contact sensor (zone status %d) is published as contact %j", async ([zonestatus, contact]) => {
    const published = ear.next("door", (state) => state.contact === contact);
    bridge.radio.command("door", "ssIasZone", "statusChangeNotification", { zonestatus, extendedstatus: 0 });
    await published;
  });

  it.for<[cluster: string, command: string, payload: Json, action: string]>([
    ["genOnOff", "on", {}, "on"],
    ["genOnOff", "off", {}, "off"],
    ["genLevelCtrl", "moveWithOnOff", { movemode: 0, rate: 83 }, "brightness_move_up"],
    ["genLevelCtrl", "stopWithOnOff", {}, "brightness_stop"],
  ])("a button of the remote (%s %s) is published as an action", async ([cluster, command, payload, action]) => {
    const published = ear.next("remote", (state) => state.action === action);
    bridge.radio.command("remote", cluster, command, payload);
    await published;
  });
});

describe("a device that does not do what it is told", { timeout: LIMIT_MS }, () => {
  /** What is published of the plug until the lamp, which is set after it, has answered. */
  async function publishedOfPlug(set: Json): Promise<readonly Json[]> {
    const failed = ear.next("bridge/logging", ({ level, message }) => level === "error" && /'plug'/.test(String(message)));
    const published = ear.all("plug");
    await ear.say("plug/set", set);
    await failed;
    const after = ear.next("lamp", () => true);
    bridge.radio.report("lamp", "genLevelCtrl", { currentLevel: 77 });
    await after;
    return published();
  }

  it("is silent: nothing is published of it, and what it says is not heard", async () => {
    bridge.radio.silence("plug");
    const before = bridge.radio.heard("plug").length;
    expect(await publishedOfPlug({ state: "ON" })).toEqual([]);
    expect(bridge.radio.heard("plug")).toHaveLength(before);
    const published = ear.all("plug");
    bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 99 });
    bridge.radio.speak("plug");
    const again = ear.next("plug", ({ power }) => power === 100);
    bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 100 });
    await again;
    expect(published().map(({ power }) => power)).toEqual([100]);
  });

  it("refuses: nothing is published of it, and it stays as it was", async () => {
    bridge.radio.report("plug", "genOnOff", { onOff: 0 });
    bridge.radio.refuse("plug", 0x87);
    expect(await publishedOfPlug({ state: "ON" })).toEqual([]);
    expect(bridge.radio.attributes("plug", "genOnOff")).toMatchObject({ onOff: 0 });
  });

  it("acts, and its answer is lost: nothing is published, though it is on", async () => {
    bridge.radio.report("plug", "genOnOff", { onOff: 0 });
    bridge.radio.loseAnswers("plug");
    expect(await publishedOfPlug({ state: "ON" })).toEqual([]);
    expect(bridge.radio.attributes("plug", "genOnOff")).toMatchObject({ onOff: 1 });
    bridge.radio.speak("plug");
    const told = ear.next("plug", ({ state }) => state === "ON");
    await ear.say("plug/get", { state: "" });
    await told;
  });
});

describe("what comes and goes", { timeout: LIMIT_MS }, () => {
  it("a device that leaves is told and no longer described, and one that joins again is", async () => {
    const left = ear.next("bridge/event", ({ type }) => type === "device_leave");
    const without = ear.next("bridge/devices", (devices) => !named(devices, "door"));
    bridge.radio.leave("door");
    expect(await left).toMatchObject({ data: { friendly_name: "door", ieee_address: bridge.ieee("door") } });
    await without;
    const joined = ear.next("bridge/event", ({ type }) => type === "device_joined");
    const described = ear.next("bridge/devices", (devices) => named(devices, "door"));
    bridge.radio.join("door");
    expect(await joined).toMatchObject({ data: { friendly_name: "door" } });
    await described;
  });

  it("zigbee2mqtt that was killed is offline, and comes back with the same devices", async () => {
    const before = ear.last("bridge/devices");
    const offline = ear.next("bridge/state", ({ state }) => state === "offline");
    await bridge.kill();
    await offline;
    const described = ear.next("bridge/devices", () => true);
    const online = ear.next("bridge/state", ({ state }) => state === "online");
    await bridge.restart();
    await online;
    const after = await described;
    expect(namesOf(after)).toEqual(namesOf(before));
    const told = ear.next("lamp", ({ state }) => state === "ON");
    await ear.say("lamp/set", { state: "ON" });
    await told;
  });

  it("zigbee2mqtt comes back by itself when its broker does", async () => {
    await broker.kill();
    await broker.restart();
    await using other = await Ear.listen(broker.url);
    await other.next("bridge/state", ({ state }) => state === "online");
    const told = other.next("plug", ({ power }) => power === 12);
    bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 12 });
    await told;
  });
});

/** A client of the broker that hears all of it, and parses it. Topics without `/` before them are below the base topic. */
class Ear implements AsyncDisposable {
  readonly #client: Awaited<ReturnType<typeof connectAsync>>;
  readonly #last = new Map<string, unknown>();
  readonly #readers = new Set<(topic: string, value: Json) => void>();

  private constructor(client: Awaited<ReturnType<typeof connectAsync>>) {
    this.#client = client;
    client.on("message", (topic, payload) => {
      const value = JSON.parse(payload.toString() || "null");
      this.#last.set(topic, value);
      for (const reader of [...this.#readers]) reader(topic, value);
    });
  }

  static async listen(url: string): Promise<Ear> {
    const ear = new Ear(await connectAsync(url, { reconnectPeriod: 0 }));
    await ear.#client.subscribeAsync(["zigbee2mqtt/#", "homeassistant/#"], { qos: 1 });
    return ear;
  }

  say(topic: string, value: Json): Promise<unknown> {
    return this.#client.publishAsync(`zigbee2mqtt/${topic}`, JSON.stringify(value), { qos: 1 });
  }

  last(topic: string): unknown {
    return this.#last.get(`zigbee2mqtt/${topic}`);
  }

  /** The first message to come that is it. */
  next(topic: string, isIt: (value: Json) => boolean): Promise<Json> {
    return this.#first(`zigbee2mqtt/${topic}`, isIt);
  }

  /** What is kept under a whole topic, now or soon. */
  async kept(topic: string): Promise<unknown> {
    return this.#last.get(topic) ?? (await this.#first(topic, () => true));
  }

  /** What comes from now until it is called. */
  all(topic: string): () => readonly Json[] {
    const heard: Json[] = [];
    const read = (from: string, value: Json) => {
      if (from === `zigbee2mqtt/${topic}`) heard.push(value);
    };
    this.#readers.add(read);
    return () => {
      this.#readers.delete(read);
      return heard;
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.endAsync(true);
  }

  #first(topic: string, isIt: (value: Json) => boolean): Promise<Json> {
    return new Promise((resolve) => {
      const read = (from: string, value: Json) => {
        if (from !== topic || !isIt(value)) return;
        this.#readers.delete(read);
        resolve(value);
      };
      this.#readers.add(read);
    });
  }
}

function matches(state: Json, told: Json): boolean {
  try {
    expect(state).toMatchObject(told);
    return true;
  } catch {
    return false;
  }
}

function modelOf({ friendly_name, definition, interview_state }: Json) {
  const model = typeof definition === "object" && definition !== null && "model" in definition && definition.model;
  return [friendly_name, model || undefined, interview_state === "SUCCESSFUL"];
}

function namesOf(devices: unknown): unknown[] {
  return Array.isArray(devices) ? devices.map(({ friendly_name }: Json) => friendly_name).sort() : [];
}

function named(devices: unknown, name: string): boolean {
  return namesOf(devices).includes(name);
}
