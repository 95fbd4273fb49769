/** The main job with boards that people build: an ESPHome device on the home network, set through the cloud. The device is a fake behind a real socket. */
import { BULB, GARAGE, PLUG } from "@porchlight/driver-esphome/devices.fixture.ts";
import { EspHomeServer } from "@porchlight/driver-esphome/esphome-server.fixture.ts";
import { fakeEntity } from "@porchlight/driver-esphome/fake-entity.fixture.ts";
import { FakeEspHome } from "@porchlight/driver-esphome/fake-esphome.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { HubDriver, HubSetup } from "@porchlight/shared/model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DriverHome } from "../parts/driver-home.ts";
import { eventually } from "../parts/eventually.ts";
import { freePort } from "../parts/free-port.ts";
import type { DeviceSummary, Home } from "../parts/home.ts";

const KEY = "QRTIErOb/fcE9Ukd/5qA3RGYMn0Y+p06U58SCtOXvPc=";
const OTHER_KEY = Buffer.alloc(32, 7).toString("base64");
const KNOB = fakeEntity("event", "Knob", undefined, { eventTypes: ["single", "double"] });

describe("ESPHome devices of the home network", () => {
  const stack = new AsyncDisposableStack();
  const plug = new FakeEspHome([...PLUG, KNOB], systemClock, { key: KEY, name: "plug" });
  const bulb = new FakeEspHome(BULB, systemClock, { mac: "AABBCC0000F1", name: "bulb" });
  const locked = new FakeEspHome(PLUG, systemClock, { mac: "AABBCC0000F2", name: "locked", key: OTHER_KEY });
  const garage = new FakeEspHome(GARAGE, systemClock, { mac: "AABBCC0000F3", name: "garage" });
  const newer = new FakeEspHome(PLUG, systemClock, { mac: "AABBCC0000F4", api: [2, 0] });
  let hub: DriverHome;
  let home: Home;
  let server: EspHomeServer;

  beforeAll(async () => {
    stack.defer(() => server[Symbol.asyncDispose]());
    server = await EspHomeServer.start(plug, await freePort());
    const others = await Promise.all(
      [bulb, locked, garage, newer].map(async (each) => stack.use(await EspHomeServer.start(each))),
    );
    const devices = [{ ...server.endpoint, key: KEY }, ...others.map(({ endpoint }) => endpoint)];
    hub = stack.use(await DriverHome.start({ esphome: { devices } }));
    home = hub.home;
    await hub.found(plug.edgeId, bulb.edgeId);
  });
  afterAll(() => stack.disposeAsync());

  const isOnline = ({ edgeId }: FakeEspHome) => hub.isOnline(edgeId);
  const put = ({ edgeId }: FakeEspHome, property: string, value: unknown, s?: number) =>
    home.put(edgeId, property, value, s);

  it("an encrypted plug is set by a PUT, and carries it out; so is a lamp in plain text", async () => {
    expect(await put(plug, "Switch.on", true)).toMatchObject({ status: 200, body: { value: true } });
    expect(plug.entity("switch", "Switch").state).toEqual({ state: true });
    expect(await put(bulb, "LightTemperature.kelvin", 4000)).toMatchObject({ status: 200, body: { value: 4000 } });
    expect(bulb.entity("light", "RGBCW Bulb").state).toMatchObject({ colorMode: 11, colorTemperature: 250 });
  });

  it("a refresh asks the device itself", async () => {
    plug.entity("sensor", "Voltage").state = { state: 231.5 };
    const path = `${home.path(plug.edgeId, "Electricity:0.volts")}?refresh=true`;
    const answer = await home.api.good<{ items: { value: unknown }[] }>("GET", path);
    expect(answer.items[0]?.value).toBe(231.5);
  });

  it("a report of a device reaches a webhook", async () => {
    plug.change(plug.entity("sensor", "Power"), { state: 57 });
    plug.change(plug.entity("event", "Knob"), { eventType: "double" });
    await hub.deliveredValue("Electricity", 57);
    await hub.deliveredValue("Button", "double");
  });

  it("a device that receives a command and does nothing leaves the outcome unknown", async () => {
    plug.idles = true;
    expect(await put(plug, "Switch.on", false, 4)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
    plug.idles = false;
    expect(await put(plug, "Switch.on", false)).toMatchObject({ status: 200 });
  });

  it("a device without power is offline, and online when it has power again", async () => {
    const { port } = server.endpoint;
    await server[Symbol.asyncDispose]();
    await eventually("the plug is offline", async () => !(await isOnline(plug)));
    const before = plug.touched;
    expect((await put(plug, "Switch.on", true)).body).toMatchObject({ outcome: "not_applied" });
    expect(plug.touched).toBe(before);
    server = await EspHomeServer.start(plug, port);
    await eventually("the plug is online", () => isOnline(plug));
    expect(await put(plug, "Switch.on", true)).toMatchObject({ status: 200 });
    expect(plug.connections.size).toBe(1);
  });

  it("doctor and the hub's page name what keeps the hub from the others, and what to do", async () => {
    const report = await hub.doctor();
    for (const words of ["It needs its encryption key.", "It uses version 2.0 of the API", "devices pair esphome-key"])
      expect(report).toContain(words);
    expect(report).not.toContain(KEY);
    const { items } = await hub.ofHub<{ items: readonly HubDriver[] }>("GET", "/drivers");
    const driver = items.find(({ name }) => name === "esphome");
    expect(driver).toMatchObject({ state: "running", devices: 2, setups: [{ kind: "esphome-key" }] });
    expect(driver?.problem).toContain("It needs its encryption key.");
  });

  it("a garage door awaits its own admission, and is sent nothing before", async () => {
    const { items } = await home.api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
    expect(items.map(({ edgeId }) => edgeId)).not.toContain(garage.edgeId);
    const { items: drivers } = await hub.ofHub<{ items: readonly HubDriver[] }>("GET", "/drivers");
    const found = drivers.find(({ name }) => name === "esphome")?.found;
    expect(found).toMatchObject([{ edgeId: garage.edgeId, admission: "awaiting_admission" }]);
    expect([garage.touched, garage.connections.size]).toEqual([0, 0]);
  });

  it("a key that a person gives lets the hub have the device, also after the hub was restarted", async () => {
    const { id } = await hub.ofHub<HubSetup>("POST", "/setups", { kind: "esphome-key" });
    const look = () => hub.ofHub<HubSetup>("GET", `/setups/${id}`);
    await eventually("the key is asked for", async () => (await look()).question !== undefined);
    const { question } = await look();
    await hub.ofHub("PUT", `/setups/${id}/answers/${question?.number}`, { answer: OTHER_KEY });
    await eventually("it is done", async () => (await look()).state === "done");
    await hub.found(locked.edgeId);
    await home.agent.kill();
    home.startAgent();
    // The cloud may still take the dead hub for a living one.
    await eventually("it is set", async () => (await put(locked, "Switch.on", true)).status === 200);
    expect(locked.entity("switch", "Switch").state).toEqual({ state: true });
  });
});
