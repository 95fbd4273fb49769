/** Home Assistant's discovery as a real publisher writes it: zigbee2mqtt's devices, described in that way only. */
import { attemptOf } from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { openByMqttJs } from "@porchlight/driver-mqtt/broker";
import { homeAssistantDialect } from "@porchlight/driver-mqtt/home-assistant/home-assistant-dialect.ts";
import { MqttDriver } from "@porchlight/driver-mqtt/mqtt-driver.ts";
import { seededRandom, silentLog, systemClock } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { type Mosquitto, startMosquitto } from "../parts/mosquitto.ts";
import { startZigbee2Mqtt, type Zigbee2Mqtt } from "../parts/zigbee2mqtt.ts";

/** What each has at least, in the standard classes. */
const STANDARD = {
  lamp: ["Switch.on", "LightLevel.level", "LightColor.hue", "LightColor.saturation", "LightTemperature.kelvin"],
  plug: ["Switch.on", "Electricity.watts", "Electricity.energy"],
  door: ["Contact.open"],
  thermostat: ["Thermostat.mode", "Temperature.celsius"],
} as const;
type Name = keyof typeof STANDARD;
const NAMES = Object.keys(STANDARD) as Name[];

describe("devices that zigbee2mqtt describes for Home Assistant", () => {
  const stack = new AsyncDisposableStack();
  const host = new FakeHost();
  let broker: Mosquitto;
  let bridge: Zigbee2Mqtt;
  let driver: MqttDriver;

  beforeAll(async () => {
    broker = stack.use(await startMosquitto());
    const devices = { lamp: "colour-lamp", plug: "plug", door: "contact-sensor", thermostat: "thermostat" } as const;
    bridge = stack.use(
      await startZigbee2Mqtt({ broker: broker.url, devices, homeAssistant: true, availability: true }),
    );
    driver = stack.use(
      MqttDriver.start({
        on: broker.url,
        admit: { all: true, edgeIds: new Set() },
        dialects: [homeAssistantDialect("homeassistant", "homeassistant")],
        open: openByMqttJs({ url: broker.url, clientId: "porchlight-test" }),
        clock: systemClock,
        random: seededRandom(1),
        log: silentLog,
        host,
      }),
    );
    // A device is described by one message for each entity: it can come with a part of them.
    await eventually("all have come with what they have", async () =>
      NAMES.every(
        (name) => driver.has(idOf(name)) && STANDARD[name].every((selector) => selectors(name).includes(selector)),
      ),
    );
  });
  afterAll(() => stack.disposeAsync());

  const idOf = (name: string) => (bridge.ieee(name).slice(2).toUpperCase().match(/../g) ?? []).join("-");
  const selectors = (name: string) => {
    const described = host.descriptions.get(idOf(name)) ?? [];
    return described.flatMap(({ service, properties }) => properties.map(({ property }) => `${service}.${property}`));
  };
  const write = (name: string, selector: string, value: boolean | number) => {
    const [service = "", property = ""] = selector.split(".");
    const permit = { deadline: systemClock.monotonic() + 10_000, mayTouch: () => true };
    return driver.write(idOf(name), { service, index: "0", property }, value, attemptOf(systemClock, permit));
  };

  it("have the standard classes that they should, and every template is understood", () => {
    for (const name of NAMES) expect(selectors(name)).toEqual(expect.arrayContaining([...STANDARD[name]]));
    const { homeAssistant } = driver.status().dialects;
    expect(homeAssistant?.problems).toEqual([]);
    expect(homeAssistant?.ignored).not.toHaveProperty("badTemplate");
  });

  it("are set, and report their new values", async () => {
    expect(await write("lamp", "Switch.on", true)).toEqual({ kind: "value", value: true });
    expect(bridge.radio.attributes("lamp", "genOnOff")).toMatchObject({ onOff: 1 });
    const level = await write("lamp", "LightLevel.level", 50);
    expect(level.kind === "value" && Math.abs(Number(level.value) - 50) < 1).toBe(true);
    // It heats and cools: it has two targets, and no single one.
    expect(await write("thermostat", "Settings.targetLow", 21)).toMatchObject({ kind: "value", value: 21 });
    expect(bridge.radio.attributes("thermostat", "hvacThermostat")).toMatchObject({ occupiedHeatingSetpoint: 2100 });
  });

  it("report their own changes", async () => {
    await bridge.radio.command("door", "ssIasZone", "statusChangeNotification", { zonestatus: 1, extendedstatus: 0 });
    await bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 57 });
    const isReported = (service: string, value: unknown) => async () =>
      host.reports.some(({ report }) => report.service === service && report.value === value);
    await eventually("the open door is reported", isReported("Contact", true));
    await eventually("the power is reported", isReported("Electricity", 57));
  });
});
