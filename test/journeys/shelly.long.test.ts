/** The main job with devices that people own: a Shelly on the home network, set through the cloud. The device is a fake behind a real server. */
import { RELAYS, WHITE_LAMP } from "@porchlight/driver-shelly/captured.fixture.ts";
import { FakeShelly } from "@porchlight/driver-shelly/fake-shelly.fixture.ts";
import { ShellyServer } from "@porchlight/driver-shelly/shelly-server.fixture.ts";
import { WITH_BUTTON } from "@porchlight/driver-shelly/shelly-world.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { HubDriver, HubSetup } from "@porchlight/shared/model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DriverHome } from "../parts/driver-home.ts";
import { eventually } from "../parts/eventually.ts";
import { freePort } from "../parts/free-port.ts";
import type { Home } from "../parts/home.ts";

const PASSWORD = "under the mat";

describe("Shelly devices of the home network", () => {
  const stack = new AsyncDisposableStack();
  const relays = new FakeShelly(WITH_BUTTON, systemClock, { password: PASSWORD });
  const lamp = new FakeShelly(WHITE_LAMP, systemClock);
  const locked = new FakeShelly(RELAYS, systemClock, { mac: "AABBCC0000F1", password: PASSWORD });
  const old = new FakeShelly(RELAYS, systemClock, { mac: "AABBCC0000F2" });
  let hub: DriverHome;
  let home: Home;
  let server: ShellyServer;

  beforeAll(async () => {
    stack.defer(() => server[Symbol.asyncDispose]());
    server = await ShellyServer.start(relays, await freePort());
    const others = await Promise.all(
      [lamp, locked, old].map(async (each) => stack.use(await ShellyServer.start(each))),
    );
    const [, , outdated] = others;
    if (outdated) outdated.introduction = { ...old.info, ver: "0.14.1" };
    const places = [{ ...server.endpoint, password: PASSWORD }, ...others.map(({ endpoint }) => endpoint)];
    hub = stack.use(await DriverHome.start({ shelly: { devices: places } }));
    home = hub.home;
    await hub.found(relays.edgeId, lamp.edgeId);
  });
  afterAll(() => stack.disposeAsync());

  const isOnline = ({ edgeId }: FakeShelly) => hub.isOnline(edgeId);
  const put = ({ edgeId }: FakeShelly, property: string, value: unknown, s?: number) =>
    home.put(edgeId, property, value, s);

  it("a relay with a password is set by a PUT, and carries it out", async () => {
    expect(await put(relays, "Switch:1.on", true)).toMatchObject({ status: 200, body: { value: true } });
    expect(relays.status["switch:1"]).toMatchObject({ output: true });
    expect(await put(lamp, "LightTemperature.kelvin", 4000)).toMatchObject({ status: 200, body: { value: 4000 } });
    expect(lamp.status["cct:0"]).toMatchObject({ ct: 4000 });
  });

  it("a refresh asks the device itself", async () => {
    Object.assign(relays.status["switch:0"] ?? {}, { voltage: 231.5 });
    const path = `${home.path(relays.edgeId, "Electricity:0.volts")}?refresh=true`;
    const answer = await home.api.good<{ items: { value: unknown }[] }>("GET", path);
    expect(answer.items[0]?.value).toBe(231.5);
  });

  it("a report of a device reaches a webhook", async () => {
    relays.change("switch:0", { apower: 57 });
    relays.event("input:0", "double_push");
    await hub.deliveredValue("Electricity", 57);
    await hub.deliveredValue("Button", "double");
  });

  it("a device that refuses is rejected; one that answers and does nothing leaves the outcome unknown", async () => {
    relays.refuses = true;
    const refused = await put(relays, "Switch:0.on", true);
    expect(refused).toMatchObject({ status: 422, body: { title: "Device Rejected", outcome: "rejected" } });
    expect(refused.body.detail).toContain("Invalid argument (code -103)");
    relays.refuses = false;
    relays.idles = true;
    expect(await put(relays, "Switch:0.on", true, 4)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
    relays.idles = false;
    expect(await put(relays, "Switch:0.on", true)).toMatchObject({ status: 200 });
  });

  it("a device without power is offline, and online when it has power again", async () => {
    const { port } = server.endpoint;
    await server[Symbol.asyncDispose]();
    await eventually("the relays are offline", async () => !(await isOnline(relays)));
    const before = relays.touched;
    expect((await put(relays, "Switch:0.on", false)).body).toMatchObject({ outcome: "not_applied" });
    expect(relays.touched).toBe(before);
    server = await ShellyServer.start(relays, port);
    await eventually("the relays are online", () => isOnline(relays));
    expect(await put(relays, "Switch:0.on", false)).toMatchObject({ status: 200 });
    expect(relays.channels.size).toBe(1);
  });

  it("doctor and the hub's page name what keeps the hub from the others, and what to do", async () => {
    const report = await hub.doctor();
    for (const words of ["It needs its password.", "Its firmware 0.14.1 is too old", "devices pair shelly-password"])
      expect(report).toContain(words);
    expect(report).not.toContain(PASSWORD);
    const { items } = await hub.ofHub<{ items: readonly HubDriver[] }>("GET", "/drivers");
    const driver = items.find(({ name }) => name === "shelly");
    expect(driver).toMatchObject({ state: "running", devices: 2, setups: [{ kind: "shelly-password" }] });
    expect(driver?.problem).toContain("It needs its password.");
    expect(driver?.problem).toContain("Its firmware 0.14.1 is too old");
  });

  it("a password that a person gives lets the hub have the device, also after the hub was restarted", async () => {
    const { id } = await hub.ofHub<HubSetup>("POST", "/setups", { kind: "shelly-password" });
    const look = () => hub.ofHub<HubSetup>("GET", `/setups/${id}`);
    await eventually("the password is asked for", async () => (await look()).question !== undefined);
    const { question } = await look();
    await hub.ofHub("PUT", `/setups/${id}/answers/${question?.number}`, { answer: PASSWORD });
    await eventually("it is done", async () => (await look()).state === "done");
    await hub.found(locked.edgeId);
    await home.agent.kill();
    home.startAgent();
    // The cloud may still take the dead hub for a living one.
    await eventually("it is set", async () => (await put(locked, "Switch:0.on", true)).status === 200);
    expect(locked.status["switch:0"]).toMatchObject({ output: true });
  });
});
