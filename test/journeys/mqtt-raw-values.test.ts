/**
 * What users of other hubs met with Zigbee2MQTT and Tasmota, on the whole way: messages on a real broker, and what the API then shows. Each
 * value is right, or there is none.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { type DeviceSummary, Home } from "../parts/home.ts";
import { startMosquitto } from "../parts/mosquitto.ts";

interface ShownService {
  readonly service: string;
  readonly index: string;
  readonly properties: readonly { readonly property: string; readonly value?: unknown }[];
}

const stack = new AsyncDisposableStack();
let home: Home;
let program: MqttClient;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-mqtt-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const broker = stack.use(await startMosquitto());
  program = await connectAsync(broker.url);
  stack.defer(() => program.endAsync());
  const config = join(folder, "agent.yaml");
  writeFileSync(config, `drivers: {mqtt: {broker: "${broker.url}", admit: all}}\n`);
  home = stack.use(await Home.start({ agentEnv: { PORCHLIGHT_CONFIG: config } }));
});
afterAll(() => stack.disposeAsync());

async function say(topic: string, payload: unknown, retain = false): Promise<void> {
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  await program.publishAsync(topic, text, { qos: 1, retain });
}

async function found(edgeId: string): Promise<void> {
  await eventually(`${edgeId} is found`, async () => {
    const { items } = await home.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
    return items.some((each) => each.edgeId === edgeId && each.connection.state === "online");
  });
  await home.online();
}

/** Each property of the device that has a value. */
async function shown(edgeId: string): Promise<Readonly<Record<string, unknown>>> {
  const path = home.path(edgeId, "").replace(/\/$/, "");
  const { items } = await home.api.good<{ items: ShownService[] }>("GET", path);
  return Object.fromEntries(
    items.flatMap(({ service, index, properties }) =>
      properties.map(({ property, value }) => [`${service}:${index}.${property}`, value]),
    ),
  );
}

/** Settles when the API shows these. @param values null: there is no value */
async function shows(edgeId: string, values: Readonly<Record<string, unknown>>): Promise<void> {
  await eventually(`${edgeId} is as it must be`, async () => {
    const now = await shown(edgeId);
    const compared = Object.keys(values).map((selector) => [selector, now[selector] ?? null]);
    expect(Object.fromEntries(compared)).toEqual(values);
    return true;
  });
}

const listedBy = (ieee_address: string, friendly_name: string, exposes: readonly object[]) => ({
  ...{ ieee_address, friendly_name, type: "Router", supported: true, interview_completed: true },
  definition: { vendor: "V", model: "M", exposes },
});
const numeric = (name: string, more: object) => ({ type: "numeric", name, property: name, access: 1, ...more });
const relay = (endpoint: string) => ({
  ...{ type: "switch", endpoint },
  features: [
    {
      ...{ type: "binary", name: "state", property: `state_${endpoint}`, endpoint },
      ...{ access: 7, value_on: "ON", value_off: "OFF" },
    },
  ],
});

describe("Zigbee2MQTT", () => {
  const [SENSOR, LAMP] = ["00-15-8D-00-AA-00-00-03", "00-15-8D-00-AA-00-00-04"];
  const NAME = "Sensor Küche/Regal 🌡";

  it("numbers as text, NaN, and markers are read as their values", async () => {
    await say("zigbee2mqtt/bridge/state", { state: "online" }, true);
    const contact = {
      type: "binary",
      name: "contact",
      property: "contact",
      access: 1,
      value_on: false,
      value_off: true,
    };
    const lamp = [
      { type: "binary", name: "state", property: "state", access: 7, value_on: "ON", value_off: "OFF" },
      numeric("brightness", { access: 7, value_min: 0, value_max: 254 }),
      numeric("color_temp", { access: 7, unit: "mired", value_min: 153, value_max: 500 }),
    ];
    const sensor = [numeric("temperature", { unit: "°C" }), numeric("humidity", { unit: "%" })];
    const more = [numeric("battery", { unit: "%" }), contact, numeric("strength", {})];
    await say(
      "zigbee2mqtt/bridge/devices",
      [
        listedBy("0x00158d00aa000003", NAME, [...sensor, ...more]),
        listedBy("0x00158d00aa000004", "lamp 4", [{ type: "light", features: lamp }]),
      ],
      true,
    );
    await found(SENSOR);
    await found(LAMP);
    const values = (celsius: unknown, percent: unknown, battery: unknown, open: unknown, strength: unknown) => ({
      ...{ "Temperature:0.celsius": celsius, "Humidity:0.percent": percent, "Battery:0.percent": battery },
      ...{ "Contact:0.open": open, "Readings:0.strength": strength },
    });
    await say(`zigbee2mqtt/${NAME}`, { temperature: 20.5, humidity: 50, battery: 90, contact: true, strength: 3 });
    await shows(SENSOR, values(20.5, 50, 90, false, 3));
    await say(`zigbee2mqtt/${NAME}`, {
      temperature: "21.7",
      humidity: "55",
      battery: "80",
      contact: "false",
      strength: "45",
    });
    await shows(SENSOR, values(21.7, 55, 80, true, 45));
    await say(`zigbee2mqtt/${NAME}`, '{"temperature":NaN,"humidity":61,"battery":70,"contact":false}');
    await shows(SENSOR, values(null, 61, 70, true, 45));
    await say("zigbee2mqtt/lamp 4", { state: "ON", brightness: 255, color_temp: 65_535 });
    await shows(LAMP, { "Switch:0.on": true, "LightLevel:0.level": 100, "LightTemperature:0.kelvin": null });
    await say("zigbee2mqtt/lamp 4", { state: "on", brightness: null, color_temp: 0 });
    await shows(LAMP, { "Switch:0.on": true, "LightLevel:0.level": null, "LightTemperature:0.kelvin": null });
  });

  it("a list of devices that is cut off removes none", async () => {
    await say("zigbee2mqtt/bridge/devices", '[{"ieee_address":"0x00158d00aa000003","type":"End', true);
    await say(`zigbee2mqtt/${NAME}`, { temperature: 19 });
    await shows(SENSOR, { "Temperature:0.celsius": 19 });
    expect(await home.connection(LAMP)).toBe("online");
  });

  it("the output by attributes is read, and a part keeps its address when others are listed before it", async () => {
    const edgeId = "00-15-8D-00-BB-00-00-05";
    const occupancy = {
      type: "binary",
      name: "occupancy",
      property: "occupancy",
      access: 1,
      value_on: "true",
      value_off: "false",
    };
    const power = numeric("power", { unit: "W", access: 5 });
    const commands: string[] = [];
    program.on("message", (topic, payload) => {
      if (topic !== "zigbee2mqtt/attr/set") return;
      const set: Readonly<Record<string, string>> = JSON.parse(payload.toString());
      for (const [member, word] of Object.entries(set)) {
        commands.push(member);
        void say(`zigbee2mqtt/attr/${member}`, word);
      }
    });
    await program.subscribeAsync(["zigbee2mqtt/attr/set", "zigbee2mqtt/attr/get"], { qos: 1 });
    const list = (...exposes: readonly object[]) =>
      say("zigbee2mqtt/bridge/devices", [listedBy("0x00158d00bb000005", "attr", exposes)], true);
    await say("zigbee2mqtt/bridge/info", { version: "2.1.0", config: { advanced: { output: "attribute" } } }, true);
    await list(relay("left"), relay("right"), power, occupancy);
    await found(edgeId);
    await say("zigbee2mqtt/attr/state_left", "ON");
    await say("zigbee2mqtt/attr/power", "12.5");
    await say("zigbee2mqtt/attr/occupancy", "false");
    await shows(edgeId, { "Switch:1.on": true, "Electricity:0.watts": 12.5, "Occupancy:0.occupied": false });
    await list(relay("center"), power, relay("right"));
    await eventually("the left part has gone", async () => {
      const now = await shown(edgeId);
      return "Switch:3.on" in now && !("Switch:1.on" in now);
    });
    await home.put(edgeId, "Switch:2.on", true, 3);
    const { status } = await home.put(edgeId, "Switch:1.on", true, 3);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(new Set(commands)).toEqual(new Set(["state_right"]));
  });
});

describe("Tasmota", () => {
  const [MAC, EDGE_ID] = ["02AA00000024", "02-AA-00-00-00-24"];
  const describes = (what: "config" | "sensors", payload: object) =>
    say(`tasmota/discovery/${MAC}/${what}`, payload, true);
  const FRIDGE = (celsius: number) => ({ Id: "01131B5A6C1F", Temperature: celsius });
  const ROOM = (celsius: number) => ({ Id: "0317979C3AFF", Temperature: celsius });

  it("channels of a meter, a bare nan, and a probe that dies leave each number where it was", async () => {
    await describes("config", {
      ...{ dn: "Plug", hn: "plug-0004", mac: MAC, md: "Athom Dual", ofln: "Offline", onln: "Online", sw: "13.4.0" },
      ...{ t: "plug24", ft: "%prefix%/%topic%/", tp: ["cmnd", "stat", "tele"], state: ["OFF", "ON"], rl: [1, 1] },
      ...{ so: { "4": 0 }, lt_st: 0, sho: [0, 0], btn: [0, 0], swc: [-1], ver: 1 },
    });
    const meter = { Total: 12.5, Power: [100, 20], Factor: [0.9, 0.95], Voltage: 230, Current: [0.45, 0.1] };
    const two = { "DS18B20-1": FRIDGE(5), "DS18B20-2": ROOM(21), TempUnit: "C" };
    await describes("sensors", { sn: { ENERGY: meter, ANALOG: { Temperature1: 24.1 }, ...two } });
    await say("tele/plug24/LWT", "Online", true);
    await found(EDGE_ID);
    const energy = { Total: 12.6, Power: [101, 22], Voltage: 231, Current: [0.46, 0.11] };
    await say("tele/plug24/SENSOR", {
      ENERGY: energy,
      "DS18B20-1": FRIDGE(5.1),
      "DS18B20-2": ROOM(21.1),
      TempUnit: "C",
    });
    await shows(EDGE_ID, {
      ...{ "Electricity:0.watts": 101, "Electricity:1.watts": 22, "Electricity:0.amperes": 0.46 },
      ...{ "Electricity:1.amperes": 0.11, "Electricity:0.volts": 231, "Electricity:0.energy": 12.6 },
      ...{ "Temperature:0.celsius": 5.1, "Temperature:1.celsius": 21.1 },
    });
    await say(
      "tele/plug24/SENSOR",
      `{"ENERGY":{"Total":12.7,"Voltage":229,"Factor":nan},"DS18B20-1":${JSON.stringify(FRIDGE(6))},"TempUnit":"C"}`,
    );
    await shows(EDGE_ID, { "Electricity:0.energy": 12.7, "Electricity:0.volts": 229, "Temperature:0.celsius": 6 });
    await describes("sensors", { sn: { ENERGY: meter, DS18B20: ROOM(21), TempUnit: "C" } });
    await eventually("the dead probe has gone", async () => !("Temperature:0.celsius" in (await shown(EDGE_ID))));
    await say("tele/plug24/SENSOR", { DS18B20: ROOM(21.3), TempUnit: "C" });
    await shows(EDGE_ID, { "Temperature:1.celsius": 21.3, "Electricity:1.watts": 22 });
  });

  it("a change that was made without a listener is read from the device's periodic state", async () => {
    await say("stat/plug24/RESULT", { POWER1: "ON" });
    await shows(EDGE_ID, { "Switch:1.on": true });
    await say("tele/plug24/STATE", { Uptime: "1T", POWER1: "OFF", POWER2: "ON" });
    await shows(EDGE_ID, { "Switch:1.on": false, "Switch:2.on": true });
  });
});
