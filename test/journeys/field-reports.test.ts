/**
 * What users of other hubs reported, on the whole way: a real Mosquitto and fakes on real sockets, the agent, the cloud's API. Each input once
 * gave a wrong value or commanded a wrong device in some product. A value is awaited in the API; that something is not commanded is shown by
 * the command that follows it.
 */
import { THREE_PHASES } from "@porchlight/driver-shelly/captured.fixture.ts";
import { FakeShelly } from "@porchlight/driver-shelly/fake-shelly.fixture.ts";
import { ShellyServer } from "@porchlight/driver-shelly/shelly-server.fixture.ts";
import { valueJson } from "@porchlight/driver-zwave/captured-nodes.fixture.ts";
import { FakeZwave } from "@porchlight/driver-zwave/fake-zwave.fixture.ts";
import { zwaveEdgeId } from "@porchlight/driver-zwave/zwave-home.fixture.ts";
import { ZwaveServer } from "@porchlight/driver-zwave/zwave-server.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DriverHome } from "../parts/driver-home.ts";
import { eventually } from "../parts/eventually.ts";
import type { Item } from "../parts/home.ts";
import { type Mosquitto, startMosquitto } from "../parts/mosquitto.ts";
import {
  BARE_NAN,
  entity,
  TASMOTA_ID,
  TASMOTA_SENSORS,
  TASMOTA_SETUP,
  ZIGBEE_DEVICES,
  ZIGBEE_IDS,
} from "./field-reports.fixture.ts";

const stack = new AsyncDisposableStack();
const zwave = new FakeZwave(systemClock);
const meter = new FakeShelly(THREE_PHASES, systemClock);
let broker: Mosquitto;
let devices: MqttClient;
let hub: DriverHome;
/** Topics of commands, in their order. */
const commanded: string[] = [];

beforeAll(async () => {
  broker = stack.use(await startMosquitto());
  devices = await connectAsync(broker.url);
  stack.defer(() => devices.endAsync());
  devices.on("message", (topic) => void commanded.push(topic));
  await devices.subscribeAsync(["+/+/set", "+/set", "zigbee2mqtt/+/set", "cmnd/#"]);
  const zwaveServer = stack.use(await ZwaveServer.start(zwave));
  const shellyServer = stack.use(await ShellyServer.start(meter));
  hub = stack.use(
    await DriverHome.start({
      mqtt: { broker: broker.url, admit: "all" },
      zwave: { server: zwaveServer.url, admit: "all" },
      shelly: { devices: [shellyServer.endpoint] },
    }),
  );
  await hub.found(meter.edgeId);
});
afterAll(() => stack.disposeAsync());

const say = (topic: string, payload: unknown, retain = false) =>
  devices.publishAsync(topic, typeof payload === "string" ? payload : JSON.stringify(payload), { retain });

/** Home Assistant describes entities of one device. */
async function described(edgeId: string, ...entities: readonly ReturnType<typeof entity>[]): Promise<void> {
  for (const { topic, config } of entities) await say(topic, config, true);
  await hub.found(edgeId);
}

/** The items of a device whose selector this is; none when it has no value. */
async function items(edgeId: string, selector: string, query = ""): Promise<readonly Item[]> {
  const answer = await hub.home.api.good<{ items: Item[] }>("GET", `${hub.home.path(edgeId, selector)}${query}`);
  return answer.items;
}

/** Sends it until the API has the value: a topic is subscribed to a moment after its device is described. */
const becomes = (edgeId: string, selector: string, value: unknown, send?: () => Promise<unknown>) =>
  eventually(`${selector} of ${edgeId} is ${JSON.stringify(value)}`, async () => {
    await send?.();
    const all = await items(edgeId, selector);
    if (JSON.stringify(all[0]?.value) !== JSON.stringify(value)) throw new Error(`it is ${JSON.stringify(all)}`);
    return true;
  });

const ends = (edgeId: string, selector: string, send?: () => Promise<unknown>) =>
  eventually(`${selector} of ${edgeId} has no value`, async () => {
    await send?.();
    const all = await items(edgeId, selector);
    if (all.length > 0) throw new Error(`it is ${JSON.stringify(all)}`);
    return true;
  });

const THERMOMETER = { device_class: "temperature", unit_of_measurement: "°C" };

describe("Home Assistant discovery", () => {
  it("keeps each relay at its number when a third comes and the first goes", async () => {
    const id = "02-AA-00-00-00-1B";
    const relay = (name: string) =>
      entity("switch", id, name, { command_topic: `m27/${name}/set`, state_topic: `m27/${name}` });
    await described(id, relay("heater"), relay("pump"));
    await say("m27/heater", "OFF");
    await becomes(id, "Switch:1.on", true, () => say("m27/pump", "ON"));
    const set = async (selector: string, value: boolean) => {
      const put = hub.home.put(id, selector, value, 2);
      await put;
      return commanded.at(-1);
    };
    expect(await set("Switch:0.on", true)).toBe("m27/heater/set");
    await say(relay("aux").topic, relay("aux").config, true);
    await becomes(id, "Switch:2.on", false, () => say("m27/aux", "OFF"));
    expect(await set("Switch:0.on", true)).toBe("m27/heater/set");
    expect(await set("Switch:1.on", false)).toBe("m27/pump/set");
    await say(relay("aux").topic, "", true);
    await ends(id, "Switch:0.on", () => say(relay("heater").topic, "", true));
    const before = commanded.length;
    const refused = await hub.home.put(id, "Switch:0.on", false, 2);
    expect(refused).toMatchObject({ status: 404, body: { title: "Service Not Found" } });
    expect(commanded.length).toBe(before);
    await becomes(id, "Switch:1.on", true);
    expect(await set("Switch:1.on", true)).toBe("m27/pump/set");
  });

  it("ends a value after its `expire_after`", async () => {
    const id = "02-AA-00-00-00-02";
    await described(id, entity("sensor", id, "t", { ...THERMOMETER, state_topic: "f2/t", expire_after: 1 }));
    await becomes(id, "Temperature.celsius", 4.5, () => say("f2/t", "4.5"));
    await ends(id, "Temperature.celsius");
  });

  it.each(["nan", "inf", "unavailable", ""])("ends a value with %j", async (none) => {
    const id = "02-AA-00-00-00-01";
    await described(id, entity("sensor", id, "t", { ...THERMOMETER, state_topic: "a1/t" }));
    await becomes(id, "Temperature.celsius", 21.5, () => say("a1/t", "21.5"));
    await ends(id, "Temperature.celsius", () => say("a1/t", none));
  });

  it("renews the age of a value that is repeated, and answers `maxAge` with it", async () => {
    const id = "02-AA-00-00-00-0F";
    await described(id, entity("sensor", id, "t", { ...THERMOMETER, state_topic: "r15/t" }));
    await becomes(id, "Temperature.celsius", 21.5, () => say("r15/t", "21.5"));
    const [first] = await items(id, "Temperature.celsius");
    const later = await eventually("the age is renewed", async () => {
      await say("r15/t", "21.5");
      const [now] = await items(id, "Temperature.celsius", "?maxAge=1");
      return now && now.observedAt > (first?.observedAt ?? "") ? now : undefined;
    });
    expect(later).toMatchObject({ value: 21.5, modifiedAt: first?.modifiedAt });
  });

  it("does not give a light that is turned on without a brightness the level of when it was off", async () => {
    const id = "02-AA-00-00-00-12";
    const light = { schema: "json", command_topic: "l18/set", state_topic: "l18/st", brightness: true };
    await described(id, entity("light", id, "l", { ...light, supported_color_modes: ["brightness"] }));
    await becomes(id, "Switch.on", true, () => say("l18/st", { state: "ON", brightness: 128 }));
    await becomes(id, "Switch.on", false, () => say("l18/st", { state: "OFF" }));
    await becomes(id, "Switch.on", true, () => say("l18/st", { state: "ON" }));
    const [level] = await items(id, "LightLevel.level");
    expect(level === undefined || Number(level.value) > 0).toBe(true);
  });

  it.each(["130", "-1"])("has no position of a cover that reports %s", async (outside) => {
    const id = "02-AA-00-00-00-06";
    const cover = { command_topic: "c6/set", position_topic: "c6/pos", set_position_topic: "c6/setpos" };
    await described(id, entity("cover", id, "c", { ...cover, position_open: 0, position_closed: 100 }));
    await becomes(id, "Cover.position", 40, () => say("c6/pos", "60"));
    await ends(id, "Cover.position", () => say("c6/pos", outside));
  });
});

describe("Zigbee2MQTT", () => {
  it("reads numbers as text, and of a message with a bare NaN everything else", async () => {
    await say("zigbee2mqtt/bridge/state", { state: "online" }, true);
    await say("zigbee2mqtt/bridge/devices", ZIGBEE_DEVICES, true);
    await hub.found(ZIGBEE_IDS.sensor, ZIGBEE_IDS.lamp);
    const sensor = "zigbee2mqtt/Sensor Küche/Regal 🌡";
    await becomes(ZIGBEE_IDS.sensor, "Temperature.celsius", 21.7, () =>
      say(sensor, { temperature: "21.7", humidity: "55", battery: "80", contact: "false" }),
    );
    await becomes(ZIGBEE_IDS.sensor, "Humidity.percent", 55);
    await becomes(ZIGBEE_IDS.sensor, "Contact.open", true);
    await becomes(ZIGBEE_IDS.sensor, "Humidity.percent", 61, () =>
      say(sensor, '{"temperature":NaN,"humidity":61,"battery":70,"contact":true}'),
    );
    await ends(ZIGBEE_IDS.sensor, "Temperature.celsius");
    await becomes(ZIGBEE_IDS.sensor, "Contact.open", false);
  });

  it("reads brightness 255 of 254 as 100 %, and has no value of what is none", async () => {
    await becomes(ZIGBEE_IDS.lamp, "LightLevel.level", 100, () =>
      say("zigbee2mqtt/lamp 4", { state: "ON", brightness: 255, color_temp: 65535 }),
    );
    await ends(ZIGBEE_IDS.lamp, "LightTemperature.kelvin");
    await becomes(ZIGBEE_IDS.lamp, "LightTemperature.kelvin", 2703, () =>
      say("zigbee2mqtt/lamp 4", { state: "ON", brightness: null, color_temp: 370 }),
    );
    await ends(ZIGBEE_IDS.lamp, "LightLevel.level");
  });

  it("with `output: attribute` reads values from the topics of the attributes, or names the setting as a problem", async () => {
    await say("zigbee2mqtt/bridge/info", { version: "2.1.0", config: { advanced: { output: "attribute" } } }, true);
    await eventually("it is read, or named", async () => {
      await say("zigbee2mqtt/attr/state_l1", "ON");
      const [item] = await items(ZIGBEE_IDS.attributes, "Switch").catch(() => []);
      if (item?.value === true) return true;
      const { items: drivers } = await hub.ofHub<{ items: { problem?: string }[] }>("GET", "/drivers");
      return drivers.some(({ problem }) => problem?.includes("output"));
    });
  });
});

describe("Tasmota", () => {
  it("keeps a probe at its number when the other has failed, and reads meters with lists", async () => {
    await say("tasmota/discovery/02AA00000024/config", TASMOTA_SETUP, true);
    await say("tasmota/discovery/02AA00000024/sensors", TASMOTA_SENSORS.both, true);
    await say("tele/plug24/LWT", "Online", true);
    await hub.found(TASMOTA_ID);
    const indexOf = async (celsius: number, message: unknown) => {
      await say("tele/plug24/SENSOR", message);
      const all = await items(TASMOTA_ID, "Temperature");
      return all.find(({ value }) => value === celsius)?.index;
    };
    const other = await eventually("the second probe is read", () => indexOf(21, TASMOTA_SENSORS.both.sn));
    const watts = await eventually("both channels are read", async () => {
      const all = (await items(TASMOTA_ID, "Electricity.watts")).map(({ value }) => value);
      return all.includes(100) && all.includes(20) ? all : undefined;
    });
    expect(watts).toHaveLength(2);
    await eventually("the probe beside the bare nan is read", () => indexOf(6, BARE_NAN));
    await say("tasmota/discovery/02AA00000024/sensors", TASMOTA_SENSORS.one, true);
    const left = { ...TASMOTA_SENSORS.one.sn, DS18B20: { Id: "0317979C3AFF", Temperature: 21.3 } };
    await eventually("the probe that is left has its number", async () => (await indexOf(21.3, left)) === other);
  });
});

describe("Z-Wave", () => {
  const DOOR = { commandClass: 113, endpoint: 0, property: "Access Control", propertyKey: "Door state" };
  const AIR = { commandClass: 49, endpoint: 0, property: "Air temperature" };
  const [WINDOW, THERMOSTAT] = [7, 5];
  const include = async (nodeId: number, values: readonly ReturnType<typeof valueJson>[]) => {
    const node = { nodeId, status: 4, ready: true, isListening: true, isControllerNode: false, endpoints: [], values };
    zwave.add(node);
    zwave.event({ source: "controller", event: "node added", node, result: {} });
    zwave.state(nodeId, {}, "ready");
    await hub.found(zwaveEdgeId(nodeId));
  };

  it("reads a window that is open or tilted as open", async () => {
    const states = { 22: "open", 23: "closed", 5632: "open in regular position", 5633: "open in tilt position" };
    const metadata = { states, ccSpecific: { notificationType: 6 } };
    await include(WINDOW, [valueJson([113, 0, "Access Control", "Door state", "number", "r", metadata, 23])]);
    for (const [raw, isOpen] of [
      [5632, true],
      [23, false],
      [5633, true],
    ] as const) {
      await becomes(zwaveEdgeId(WINDOW), "Contact.open", isOpen, async () => zwave.change(WINDOW, DOOR, raw));
    }
    await ends(zwaveEdgeId(WINDOW), "Contact.open", async () => zwave.change(WINDOW, DOOR, 254));
  });

  it("reads the first value after a change of the scale in the new scale", async () => {
    const metadata = (unit: string, scale: number) => ({ unit, ccSpecific: { sensorType: 1, scale } });
    await include(THERMOSTAT, [valueJson([49, 0, "Air temperature", null, "number", "r", metadata("°C", 0), 20])]);
    await becomes(zwaveEdgeId(THERMOSTAT), "Temperature.celsius", 21, async () => zwave.change(THERMOSTAT, AIR, 21));
    const args = { ...AIR, metadata: { type: "number", readable: true, writeable: false, ...metadata("°F", 1) } };
    zwave.event({ source: "node", event: "metadata updated", nodeId: THERMOSTAT, args });
    await becomes(zwaveEdgeId(THERMOSTAT), "Temperature.celsius", 20, async () => zwave.change(THERMOSTAT, AIR, 68));
    const temperatures = hub.delivered.flatMap(({ item }) => (item?.service === "Temperature" ? [item.value] : []));
    expect(temperatures).not.toContain(68);
  });
});

it("a Shelly meter with errors has no values", async () => {
  meter.change("em:0", { errors: [], a_voltage: 230.1, a_errors: [] });
  await eventually("the voltage is read", async () =>
    (await items(meter.edgeId, "Electricity.volts")).some(({ value }) => value === 230.1),
  );
  meter.change("em:0", { errors: ["power_meter_failure"], total_act_power: 0, a_act_power: 0, a_voltage: 0 });
  await eventually("no value is left", async () => {
    const all = await items(meter.edgeId, "Electricity");
    return !all.some(({ property, value }) => property !== "energy" && property !== "produced" && value === 0);
  });
});
