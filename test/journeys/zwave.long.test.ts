/** The main job with a Z-Wave network: a plug and a lock of a fake zwave-js-server behind a real socket, set through the cloud. */
import { capturedNode } from "@porchlight/driver-zwave/captured-nodes.fixture.ts";
import { FakeZwave } from "@porchlight/driver-zwave/fake-zwave.fixture.ts";
import { zwaveEdgeId } from "@porchlight/driver-zwave/zwave-home.fixture.ts";
import { ZwaveServer } from "@porchlight/driver-zwave/zwave-server.fixture.ts";
import { plug } from "@porchlight/driver-zwave/zwave-world.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { HubDriver } from "@porchlight/shared/model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DriverHome } from "../parts/driver-home.ts";
import { eventually } from "../parts/eventually.ts";
import { freePort } from "../parts/free-port.ts";
import type { Home } from "../parts/home.ts";

const [PLUG, LAMP, LOCK, NEW] = [2, 3, 4, 5];
const CURRENT = { commandClass: 37, endpoint: 0, property: "currentValue" };
const SCENE = { commandClass: 91, endpoint: 0, property: "scene", propertyKey: "001" };

describe("a Z-Wave network", () => {
  const stack = new AsyncDisposableStack();
  const zwave = new FakeZwave(systemClock);
  let hub: DriverHome;
  let home: Home;
  let server: ZwaveServer;

  beforeAll(async () => {
    zwave.add(plug(PLUG));
    zwave.add(capturedNode("switch_enbrighten_zw3010", LAMP));
    zwave.add({ ...capturedNode("idl_101_lock", LOCK), highestSecurityClass: -1 });
    stack.defer(() => server[Symbol.asyncDispose]());
    server = await ZwaveServer.start(zwave, await freePort());
    const admit = ["all", zwaveEdgeId(LOCK)];
    hub = stack.use(await DriverHome.start({ zwave: { server: server.url, admit } }));
    home = hub.home;
    await hub.found(zwaveEdgeId(PLUG), zwaveEdgeId(LAMP), zwaveEdgeId(LOCK));
  });
  afterAll(() => stack.disposeAsync());

  const isOnline = (node: number) => hub.isOnline(zwaveEdgeId(node));
  const put = (node: number, property: string, value: unknown, s?: number) =>
    home.put(zwaveEdgeId(node), property, value, s);

  it("a plug that does not confirm is set by a PUT, and its value is read back", async () => {
    expect(await put(PLUG, "Switch.on", true)).toMatchObject({ status: 200, body: { value: true } });
    expect(zwave.actual(PLUG, CURRENT)).toBe(true);
    expect(zwave.polled.get(PLUG)).toBeGreaterThan(0);
    zwave.idles = true;
    expect(await put(PLUG, "Switch.on", false, 3)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
    zwave.idles = false;
  });

  it("a lock and a lamp that confirm are set by their own report", async () => {
    zwave.supervised.add(LAMP).add(LOCK);
    expect(await put(LOCK, "Lock.locked", false)).toMatchObject({ status: 200, body: { value: false } });
    expect(await put(LAMP, "LightLevel.level", 40)).toMatchObject({ status: 200, body: { value: 40 } });
    zwave.refuses = true;
    const refused = await put(LAMP, "Switch.on", true);
    expect(refused).toMatchObject({ status: 422, body: { title: "Device Rejected", outcome: "rejected" } });
    expect(refused.body.detail).toContain("The device has refused the command.");
    zwave.refuses = false;
  });

  it("a refresh asks the device itself", async () => {
    zwave.later(PLUG, CURRENT, false);
    const answer = await home.api.good<{ items: { value: unknown }[] }>(
      "GET",
      `${home.path(zwaveEdgeId(PLUG), "Switch.on")}?refresh=true`,
    );
    expect(answer.items[0]?.value).toBe(true);
  });

  it("a press of a button, and a lamp that is turned off at the wall, reach a webhook", async () => {
    const args = { ...SCENE, value: 3 };
    zwave.event({ source: "node", event: "value notification", nodeId: PLUG, args });
    zwave.change(LAMP, { commandClass: 38, endpoint: 0, property: "currentValue" }, 0);
    await hub.deliveredValue("Button", "double");
    await hub.deliveredValue("LightLevel", 0);
  });

  it("a node that is included while everything runs is found by itself", async () => {
    zwave.add(plug(NEW));
    zwave.event({ source: "controller", event: "node added", node: { ...plug(NEW), ready: false, values: [] } });
    zwave.state(NEW, {}, "ready");
    await hub.found(zwaveEdgeId(NEW));
    expect(await put(NEW, "Switch.on", true)).toMatchObject({ status: 200 });
  });

  it("doctor and the hub's page name what is wrong with which node, and what to do", async () => {
    zwave.state(NEW, { status: 3 }, "dead");
    await eventually("the new plug is offline", async () => !(await isOnline(NEW)));
    const report = await hub.doctor();
    for (const words of [
      "(Plug 5) does not answer: it is dead.",
      "a lock that was included without encryption",
      "ping it",
    ])
      expect(report).toContain(words);
    const { items } = await hub.ofHub<{ items: readonly HubDriver[] }>("GET", "/drivers");
    const driver = items.find(({ name }) => name.startsWith("zwave"));
    expect(driver).toMatchObject({ state: "running", devices: 3 });
    expect(driver?.problem).toContain("it is dead");
  });

  it("a server that is gone takes its devices offline, and they come back with it", async () => {
    const { port } = server;
    await server[Symbol.asyncDispose]();
    await eventually("the plug is offline", async () => !(await isOnline(PLUG)));
    expect((await put(PLUG, "Switch.on", false)).body).toMatchObject({ outcome: "not_applied" });
    expect(await hub.doctor()).toContain("The Z-Wave server is not reached");
    server = await ZwaveServer.start(zwave, port);
    await hub.found(zwaveEdgeId(PLUG), zwaveEdgeId(LAMP), zwaveEdgeId(LOCK));
    expect(await put(PLUG, "Switch.on", false)).toMatchObject({ status: 200 });
    expect(zwave.clients).toBe(1);
  });
});
