/** The main job with devices that people own: a lamp behind the real zigbee2mqtt and a real broker, set through the cloud. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Receiver, taken } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import type { HubDriver, HubSetup } from "@porchlight/shared/model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { type DeviceSummary, Home } from "../parts/home.ts";
import { type Mosquitto, startMosquitto } from "../parts/mosquitto.ts";
import { startZigbee2Mqtt, type Zigbee2Mqtt } from "../parts/zigbee2mqtt.ts";

/** A device's answer to a command that it does not support (ZCL, 2.6.3). */
const INVALID_VALUE = 0x87;

describe("devices behind zigbee2mqtt", () => {
  const stack = new AsyncDisposableStack();
  let home: Home;
  let broker: Mosquitto;
  let bridge: Zigbee2Mqtt;
  const webhooks: { readonly type: string; readonly item: Readonly<Record<string, unknown>> | undefined }[] = [];

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-mqtt-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    broker = stack.use(await startMosquitto());
    const devices = {
      lamp: "colour-lamp",
      plug: "plug",
      door: "contact-sensor",
      remote: "remote",
      lock: "lock",
    } as const;
    bridge = stack.use(await startZigbee2Mqtt({ broker: broker.url, devices, availability: true }));
    const config = join(folder, "agent.yaml");
    writeFileSync(config, `drivers: {mqtt: {broker: "${broker.url}", admit: all}}\n`);
    home = stack.use(
      await Home.start({ agentEnv: { PORCHLIGHT_CONFIG: config }, env: { PORCHLIGHT_WEBHOOK_ALLOW: "127.0.0.0/8" } }),
    );
    await foundAgain();
    const receiver = stack.use(
      await Receiver.start((received, response) => {
        const { type, data } = received.event;
        webhooks.push({ type, item: data.item });
        taken(received, response);
      }),
    );
    await home.api.good("POST", "/api/webhooks", { url: receiver.url, events: ["property.*", "device.*"] });
  });
  afterAll(() => stack.disposeAsync());

  const idOf = (name: string) => (bridge.ieee(name).slice(2).toUpperCase().match(/../g) ?? []).join("-");
  /** What the hub answers about its drivers. */
  const hubsAnswer = <T>(method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) =>
    home.api.good<T>(method, `/api/clients/${home.clientId}${path}`, body);
  const isOnline = async (name: string) => (await home.connection(idOf(name))) === "online";
  const received = (name: string, command: string) =>
    bridge.radio.received(name).filter((each) => each.command === command);

  /** The four that are admitted are known to the cloud, and online; or these. */
  async function foundAgain(names: readonly string[] = ["lamp", "plug", "door", "remote"]): Promise<void> {
    await eventually("all are found", async () => {
      const { items } = await home.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
      const online = items.filter(({ connection }) => connection.state === "online").map(({ edgeId }) => edgeId);
      return names.every((name) => online.includes(idOf(name)));
    });
    await home.online();
  }

  it("a lamp is set by a PUT, and carries it out", async () => {
    const on = await home.put(idOf("lamp"), "Switch.on", true);
    expect(on).toMatchObject({ status: 200, body: { value: true } });
    expect(bridge.radio.attributes("lamp", "genOnOff")).toMatchObject({ onOff: 1 });
    expect(await home.put(idOf("lamp"), "LightLevel.level", 50)).toMatchObject({ status: 200, body: { value: 50 } });
    expect(bridge.radio.attributes("lamp", "genLevelCtrl")).toMatchObject({ currentLevel: 127 });
    const warm = await home.put(idOf("lamp"), "LightTemperature.kelvin", 2700);
    expect(warm).toMatchObject({ status: 200 });
    expect(Math.abs(Number(warm.body.value) - 2700)).toBeLessThan(10);
  });

  it("a refresh asks the device itself", async () => {
    const answer = await home.api.good<{ items: { value: unknown }[] }>(
      "GET",
      `${home.path(idOf("plug"), "Switch.on")}?refresh=true`,
    );
    expect(answer.items[0]?.value).toBe(true);
  });

  it("a report of a device reaches a webhook", async () => {
    await bridge.radio.report("plug", "haElectricalMeasurement", { activePower: 57 });
    await bridge.radio.command("door", "ssIasZone", "statusChangeNotification", { zonestatus: 1, extendedstatus: 0 });
    const isReported = (service: string, value: unknown) => async () =>
      webhooks.some(({ item }) => item?.service === service && item.value === value);
    await eventually("the power is reported", isReported("Electricity", 57));
    await eventually("the open door is reported", isReported("Contact", true));
  });

  it("a device that refuses has not done it, although zigbee2mqtt reports success: the outcome is unknown, and the device's true value is reported", async () => {
    expect(await home.put(idOf("plug"), "Switch.on", true)).toMatchObject({ status: 200 });
    bridge.radio.refuse("plug", INVALID_VALUE);
    expect(await home.put(idOf("plug"), "Switch.on", false, 6)).toMatchObject({
      status: 502,
      body: { title: "Device Unreachable", outcome: "unknown" },
    });
    expect(bridge.radio.attributes("plug", "genOnOff")).toMatchObject({ onOff: 1 });
    expect(await home.cached(idOf("plug"), "Switch.on")).toMatchObject({ value: true });
    bridge.radio.accept("plug");
  });

  it("a device whose answer is lost may have done it: the outcome is unknown", async () => {
    bridge.radio.silence("plug");
    expect((await home.put(idOf("plug"), "Switch.on", false, 6)).body).toMatchObject({ outcome: "unknown" });
    bridge.radio.speak("plug");
    await eventually(
      "the plug is set again",
      async () => (await home.put(idOf("plug"), "Switch.on", false)).status === 200,
    );
  });

  it("a broker that dies takes its devices offline, and they come back with it", async () => {
    await broker.kill();
    await eventually("the lamp is offline", async () => !(await isOnline("lamp")));
    expect(await home.put(idOf("lamp"), "Switch.on", false)).toMatchObject({
      status: 502,
      body: { outcome: "not_applied" },
    });
    const before = received("lamp", "off").length;
    await broker.restart();
    await foundAgain();
    expect(received("lamp", "off").length).toBe(before);
    expect(await home.put(idOf("lamp"), "Switch.on", false)).toMatchObject({ status: 200 });
  });

  it("zigbee2mqtt that dies in the middle of a write leaves its outcome unknown, and the lamp's state is read again", async () => {
    bridge.radio.loseAnswers("lamp");
    const before = received("lamp", "on").length;
    const writing = home.put(idOf("lamp"), "Switch.on", true, 10);
    await bridge.radio.hears("lamp", () => received("lamp", "on").length > before);
    await bridge.kill();
    const { body } = await writing;
    expect(body).toMatchObject({ outcome: "unknown" });
    await eventually("the lamp is offline", async () => !(await isOnline("lamp")));
    bridge.radio.speak("lamp");
    await bridge.restart();
    await foundAgain();
    await eventually("the truth is known", async () => (await home.cached(idOf("lamp"), "Switch.on"))?.value === true);
  });

  it("a lock is the hub's once a person has admitted it, and is set then", async () => {
    const { items } = await hubsAnswer<{ items: readonly HubDriver[] }>("GET", "/drivers");
    const driver = items.find(({ name }) => name.startsWith("mqtt "));
    expect(driver).toMatchObject({ state: "running", devices: 4, setups: [{ kind: "zigbee" }] });
    expect(driver?.found).toMatchObject([
      { edgeId: idOf("lock"), name: "lock", model: "V3-BTZB/V3-BTZBE", admission: "awaiting_admission" },
    ]);
    expect(driver?.found[0]?.services).toContain("Lock");
    await hubsAnswer("PUT", `/admissions/${idOf("lock")}`);
    await foundAgain(["lock"]);
    expect(await home.put(idOf("lock"), "Lock.locked", false)).toMatchObject({ status: 200, body: { value: false } });
    expect(bridge.radio.attributes("lock", "closuresDoorLock")).toMatchObject({ lockState: 2 });
    await hubsAnswer("DELETE", `/admissions/${idOf("lock")}`);
    await eventually("the lock is left alone", async () => !(await isOnline("lock")));
  });

  it("a device joins while a person permits it, and is announced by its kind", async () => {
    await bridge.radio.leave("plug");
    await eventually("it has left", async () => !(await isOnline("plug")));
    const { id } = await hubsAnswer<HubSetup>("POST", "/setups", { kind: "zigbee" });
    const look = () => hubsAnswer<HubSetup>("GET", `/setups/${id}`);
    await eventually("the network is open", async () => /network is open/.test((await look()).text));
    await bridge.radio.join("plug");
    const named = { edgeId: idOf("plug"), name: "Innr SP 240" };
    await eventually("it is known", async () => (await look()).found.some(({ name }) => name === named.name));
    expect(await look()).toMatchObject({ state: "running", found: [named] });
    await hubsAnswer("DELETE", `/setups/${id}`);
    expect(await look()).toMatchObject({ state: "cancelled" });
    await eventually("it is online", () => isOnline("plug"));
  });

  it("a device that leaves is offline, and is the same device when it joins again", async () => {
    const { id } = await home.device(idOf("door"));
    await bridge.radio.leave("door");
    await eventually("it is offline", async () => !(await isOnline("door")));
    await bridge.radio.join("door");
    await eventually("it is online", () => isOnline("door"));
    expect((await home.device(idOf("door"))).id).toBe(id);
  });
});
