/** The main job with a Hue bridge: found by multicast DNS, paired by its button, its lamps set through the cloud. The bridge is a fake behind HTTPS. */
import { writeFileSync } from "node:fs";
import { ownCertificate } from "@porchlight/driver-hue/bridge/certificates.fixture.ts";
import { BridgeSetup, HueServer } from "@porchlight/driver-hue/bridge/hue-server.fixture.ts";
import { capturedResources } from "@porchlight/driver-hue/bridge-capture.fixture.ts";
import { MemoryBridge } from "@porchlight/driver-hue/memory-bridge.fixture.ts";
import { AnnouncedService } from "@porchlight/driver-kit/network/announced-service.fixture.ts";
import { systemClock } from "@porchlight/shared/kernel";
import type { HubDriver, HubSetup } from "@porchlight/shared/model";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itAtLength } from "../parts/at-length.ts";
import { DriverHome } from "../parts/driver-home.ts";
import { eventually } from "../parts/eventually.ts";
import type { Home } from "../parts/home.ts";

/** Others may announce bridges on this machine's loopback at the same time: each has its own. */
const ID = `001788FFFE${process.pid.toString(16).padStart(6, "0").slice(-6).toUpperCase()}`;
const EDGE_ID = (ID.match(/../g) ?? []).join("-");
const CEILING = "00-17-88-01-06-AA-BB-58";
const DIMMER = "00-17-88-01-08-AA-CC-60";
const BLOOM = "00-17-88-AA-BB-1E-CC-B2";

describe("a Hue bridge of the home network", () => {
  const stack = new AsyncDisposableStack();
  const setup = new BridgeSetup(ID);
  const memory = new MemoryBridge(systemClock, capturedResources());
  const certificate = ownCertificate(ID);
  let hub: DriverHome;
  let home: Home;
  let server: HueServer;
  let announced: AnnouncedService;

  const startBridge = async (port?: number, cert = certificate) => {
    server = await HueServer.start({ setup, memory, certificate: cert, port });
  };

  beforeAll(async () => {
    stack.defer(() => server[Symbol.asyncDispose]());
    await startBridge();
    const txt = { bridgeid: ID.toLowerCase(), modelid: "BSB002" };
    announced = stack.use(
      await AnnouncedService.open({ type: "_hue._tcp", instance: `Hue Bridge - ${ID.slice(-6)}`, txt }),
    );
    await announced.at(server.address.port);
    hub = stack.use(await DriverHome.start({ hue: { admit: "all" } }, { PORCHLIGHT_LAN: "127.0.0.1" }));
    home = hub.home;
  });
  afterAll(() => stack.disposeAsync());

  const lamp = () => memory.resources.get("light-ceiling");

  async function driver(of = home.clientId): Promise<HubDriver> {
    const { items } = await hub.ofHub<{ items: readonly HubDriver[] }>("GET", "/drivers", undefined, of);
    const hue = items.find(({ name }) => name === "hue");
    if (!hue) throw new Error("The hub has no such driver.");
    return hue;
  }

  /** Pairs a hub with the bridge, whose button is pressed once the hub says so. */
  async function pair(of = home.clientId): Promise<HubSetup> {
    const { id } = await hub.ofHub<HubSetup>("POST", "/setups", { kind: "hue-bridge" }, of);
    const look = () => hub.ofHub<HubSetup>("GET", `/setups/${id}`, undefined, of);
    const told = await eventually("the button is asked for, or which bridge", async () => {
      const now = await look();
      return now.question || now.text.startsWith("Press the button") ? now : undefined;
    });
    if (told.question) {
      const answer = told.question.choices?.find((choice) => choice.includes(ID));
      await hub.ofHub("PUT", `/setups/${id}/answers/${told.question.number}`, { answer }, of);
      await eventually("the button is asked for", async () => (await look()).text.startsWith("Press the button"));
    }
    setup.isPressed = true;
    const done = await eventually("it has ended", async () => {
      const now = await look();
      return now.state === "done" || now.state === "failed" ? now : undefined;
    });
    setup.isPressed = false;
    return done;
  }

  it("is listed as not paired, with what is missing, on the hub, in the API and by doctor", async () => {
    const found = await eventually("the bridge is found", async () =>
      (await driver()).unpaired.find(({ edgeId }) => edgeId === EDGE_ID),
    );
    expect(found).toEqual({
      ...{ name: "Hue bridge “Hall”", edgeId: EDGE_ID, address: `127.0.0.1:${server.address.port}` },
      ...{ missing: "Start pairing, then press the button on the bridge.", setup: "hue-bridge" },
    });
    const listed = await hub.onHub("devices", "--data", home.agentData);
    expect(listed).toContain(`${EDGE_ID}  not paired  Hue bridge “Hall”`);
    expect(listed).toContain("to pair: porchlight-agent devices pair hue-bridge");
    expect(await hub.doctor()).toContain("(Hue bridge “Hall”): It is not paired.");
    expect(server.asked.filter((line) => line !== "GET /api/0/config")).toEqual([]);
  });

  it("is paired by its button; its lamp is described, set by a PUT, and confirmed by what the bridge says", async () => {
    expect(await pair()).toMatchObject({ state: "done", found: [{ name: "Hue bridge “Hall”" }] });
    await hub.found(CEILING, DIMMER);
    expect((await driver()).unpaired.filter(({ edgeId }) => edgeId === EDGE_ID)).toEqual([]);
    const device = await home.device(CEILING);
    expect(device).toMatchObject({
      meta: {
        "$.name": "Ceiling lamp",
        "$.model": "Hue ambiance ceiling LTC001",
        "$.transport": `hue ${ID.slice(-6)}`,
      },
    });
    expect(await home.put(CEILING, "Switch.on", true)).toMatchObject({ status: 200, body: { value: true } });
    expect(lamp()).toMatchObject({ on: { on: true } });
    expect(await home.put(CEILING, "LightTemperature.kelvin", 4000)).toMatchObject({
      status: 200,
      body: { value: 4000 },
    });
    expect(lamp()).toMatchObject({ color_temperature: { mirek: 250 } });
    expect(server.overlaps, "requests at once").toBe(0);
  });

  it("tells presses and changes, which reach a webhook; a lamp without power is offline", async () => {
    const button_report = { event: "long_press", updated: "2026-11-25T10:00:00Z" };
    memory.change("btn-dimmer-2", { button: { button_report } });
    memory.change("light-floor", { dimming: { brightness: 12 } });
    await hub.toldOf("Button", "long");
    await hub.toldOf("LightLevel", 12);
    memory.change("zc-bloom", { status: "connected" });
    await hub.found(BLOOM);
    memory.change("zc-bloom", { status: "connectivity_issue" });
    await eventually("it is offline", async () => !(await hub.isOnline(BLOOM)));
  });

  it("what the bridge refuses is rejected; what it takes and the lamp does not do is unknown", async () => {
    memory.refuses = true;
    const refused = await home.put(CEILING, "Switch.on", false);
    expect(refused).toMatchObject({ status: 422, body: { title: "Device Rejected", outcome: "rejected" } });
    memory.refuses = false;
    memory.silent.add("light-ceiling");
    expect(await home.put(CEILING, "Switch.on", false, 4)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
    memory.silent.delete("light-ceiling");
    expect(await home.put(CEILING, "Switch.on", false)).toMatchObject({ status: 200 });
  });

  it("has lost its power: its lamps are offline and nothing is sent; they are back with it, at another address too", async () => {
    const { port } = server.address;
    await server[Symbol.asyncDispose]();
    await eventually("the lamp is offline", async () => !(await hub.isOnline(CEILING)));
    const before = memory.touched.get("light-ceiling");
    expect((await home.put(CEILING, "Switch.on", true)).body).toMatchObject({ outcome: "not_applied" });
    expect(memory.touched.get("light-ceiling")).toBe(before);
    await startBridge(port);
    await eventually("the lamp is online", () => hub.isOnline(CEILING));
    await server[Symbol.asyncDispose]();
    await startBridge();
    expect(server.address.port).not.toBe(port);
    await announced.at(server.address.port);
    await eventually("the hub has found it there", async () => server.streams === 1);
    await eventually("the lamp is online at its new address", () => hub.isOnline(CEILING));
    expect(await home.put(CEILING, "Switch.on", true)).toMatchObject({ status: 200 });
    expect(server.streams).toBe(1);
  });

  it("with another's certificate is sent nothing, and doctor says so; with a key that was removed it is paired again", async () => {
    const { port } = server.address;
    await server[Symbol.asyncDispose]();
    await startBridge(port, ownCertificate(ID));
    await eventually("doctor says so", async () => (await hub.doctor()).includes("does not have the certificate"));
    expect(server.asked.filter((line) => line !== "GET /api/0/config")).toEqual([]);
    await server[Symbol.asyncDispose]();
    setup.keys.clear();
    await startBridge(port);
    await eventually("doctor says so", async () =>
      (await hub.doctor()).includes("no longer accepts the key of this hub"),
    );
    expect(await pair()).toMatchObject({ state: "done" });
    await eventually("the lamp is online", () => hub.isOnline(CEILING));
  });

  itAtLength(
    "that a second hub of the home is paired with stays the first hub's, and is the second's when the first has gone",
    async () => {
      const before = await home.device(CEILING);
      const second = await home.startNeighbour();
      await eventually("the second hub finds it", async () => (await driver(second)).unpaired.length > 0);
      expect(await pair(second)).toMatchObject({ state: "done" });
      await eventually("the owner is told", async () => home.events().some(({ type }) => type === "device.claimed"));
      const touched = memory.touched.get("light-ceiling") ?? 0;
      expect(await home.put(CEILING, "Switch.on", false)).toMatchObject({ status: 200 });
      expect(memory.touched.get("light-ceiling")).toBe(touched + 1);
      expect((await home.device(CEILING)).clientId).toBe(home.clientId);
      expect((await driver(second)).devices).toBe(0);
      // The first hub lets go of it: its driver is not set any more.
      writeFileSync(hub.config, "drivers: {}\n");
      await home.agent.stop();
      home.startAgent();
      await eventually("the second has it", async () => (await home.device(CEILING)).clientId === second);
      await eventually("it is set", async () => (await home.put(CEILING, "Switch.on", true)).status === 200);
      expect((await home.device(CEILING)).id).toBe(before.id);
    },
  );
});
