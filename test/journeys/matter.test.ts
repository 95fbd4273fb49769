/**
 * The main job with Matter: a third-party device is paired by its code, switched through the cloud, and reports; and what
 * becomes of it when it or the hub dies, and when it forgets the hub. The device is in a network of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import type { Home } from "../parts/home.ts";
import { MatterDeviceProgram, MatterNetwork } from "../parts/matter-device.ts";
import { MatterHome } from "../parts/matter-home.ts";
import { Matterbridge } from "../parts/matterbridge.ts";
import { rounds } from "../parts/rounds.ts";
import { clockJumps } from "./matter-clock.suite.ts";
import { outOfMemory } from "./matter-memory.suite.ts";
import { neighbours } from "./matter-neighbours.suite.ts";
import { twoHubs } from "./matter-two-hubs.suite.ts";

/** Others may have devices in pairing mode at the same time. */
const DISCRIMINATOR = process.pid % 4096;
const UNIQUE = `lamp-${process.pid}`;

describe("a Matter device", () => {
  const stack = new AsyncDisposableStack();
  let network: MatterNetwork;
  let hub: MatterHome;
  let home: Home;
  let device: MatterDeviceProgram;
  let edgeId = "";

  beforeAll(async () => {
    network = stack.use(new MatterNetwork());
    stack.defer(() => device?.[Symbol.asyncDispose]());
    device = await MatterDeviceProgram.start(network, { discriminator: DISCRIMINATOR, uniqueId: UNIQUE });
    // Not beside it: a process that starts while the other fails would be left.
    hub = stack.use(await MatterHome.start());
    home = hub.hub.home;
  });
  afterAll(() => stack.disposeAsync());

  const online = () => eventually("it is online", () => hub.hub.isOnline(edgeId));

  it("is not paired by an invalid code, nor by a code of no device; a person may end it", async () => {
    const { id } = await hub.begin("matter");
    await hub.answers(id, "34970112333");
    expect((await hub.asks(id)).text).toMatch(/^A digit of the pairing code is wrong/);
    await hub.hub.ofHub("DELETE", `/setups/${id}`);
    expect((await hub.ends(id)).state).toBe("cancelled");
  });

  it("is paired by the text of its QR code, and used once a person has admitted it: it has a lock", async () => {
    const begun = performance.now();
    const done = await hub.pair(device.qrPairingCode);
    expect(done).toMatchObject({ state: "done", found: [{ name: "Porch lamp" }] });
    measured("pairing", begun);
    edgeId = done.found[0]?.edgeId ?? "";
    const found = await eventually("it waits to be admitted", async () =>
      (await hub.driver()).found.find((each) => each.edgeId === edgeId),
    );
    expect(found).toMatchObject({
      admission: "awaiting_admission",
      services: expect.arrayContaining(["Lock", "LightLevel"]),
    });
    await hub.admit(edgeId);
    await hub.hub.found(edgeId);
    expect(await home.device(edgeId)).toMatchObject({
      meta: { "$.name": "Porch lamp", "$.manufacturer": "Other Team", "$.transport": "matter" },
    });
  });

  it("is set through the cloud, and confirms the write by its own report; a lock only by an announced command", async () => {
    const begun = performance.now();
    expect(await home.put(edgeId, "Switch:1.on", true)).toMatchObject({ status: 200, body: { value: true } });
    measured("command", begun);
    expect(device.touched("lamp", true)).toBe(1);
    expect(await home.put(edgeId, "LightLevel:1.level", 50)).toMatchObject({ status: 200, body: { value: 50 } });
    expect(await home.put(edgeId, "Lock:4.locked", true)).toMatchObject({ status: 200, body: { value: true } });
    expect(device.touched("lock")).toBe(1);
  });

  it("reports its measurements and each press, which reach a webhook", async () => {
    const begun = performance.now();
    await device.does({ celsius: 19.5 });
    await hub.hub.deliveredValue("Temperature", 19.5);
    measured("report, until the webhook has it", begun);
    await device.does({ press: true });
    await hub.hub.deliveredValue("Button", "press");
    await device.does({ lamp: false });
    await eventually("it is known", async () => (await home.cached(edgeId, "Switch:1.on"))?.value === false);
  });

  it("describes itself anew after an update of its firmware", async () => {
    await device.does({ firmware: 2 });
    await eventually("the firmware is known", async () => {
      const { meta } = (await home.device(edgeId)) as { readonly meta?: Readonly<Record<string, unknown>> };
      return meta?.["$.firmware"] === "2.0";
    });
  });

  it("is back after the hub's driver was killed, without a new pairing", async () => {
    process.kill(Number((await hub.status()).pid), "SIGKILL");
    await eventually("it is seen to be gone", async () => !(await hub.hub.isOnline(edgeId)));
    const begun = performance.now();
    await online();
    measured("driver restarted and reconnected", begun);
    expect(await home.put(edgeId, "Switch:1.on", false)).toMatchObject({ status: 200 });
    console.info(`Matter: private memory of the driver's process: ${await hub.memoryMb()} MB`);
  });

  it("that does not answer leaves a write unknown, and does it once", async () => {
    const before = device.touched("lamp", true);
    device.stands(true);
    expect(await home.put(edgeId, "Switch:1.on", true, 4)).toMatchObject({ status: 502, body: { outcome: "unknown" } });
    device.stands(false);
    await eventually("what it did is known", async () => {
      await online();
      return (await home.cached(edgeId, "Switch:1.on"))?.value === device.touched("lamp", true) > before;
    });
    expect(device.touched("lamp", true) - before).toBeLessThanOrEqual(1);
  });

  it("that lost its power is back within seconds of it, and nothing is carried out twice", async () => {
    const { storage } = device;
    await device.kill();
    device = await MatterDeviceProgram.start(network, { discriminator: DISCRIMINATOR, uniqueId: UNIQUE }, storage);
    const begun = performance.now();
    const set = async () => (await home.put(edgeId, "Switch:1.on", false, 5)).status === 200;
    await eventually("it can be set", set);
    measured("device restarted, set again", begun);
    expect(device.touched("lamp")).toBeLessThanOrEqual(1);
  });

  it("is removed by a person: it forgets the hub", async () => {
    const forgotten = device.reports("decommissioned");
    await removed("Porch lamp");
    await forgotten;
    await eventually("it is gone", async () => !(await hub.hub.isOnline(edgeId)));
  });

  // Each waits for minutes of a real clock, or kills again and again.
  if (rounds(0, 1) === 1)
    describe("at length", () => {
      // It takes half a minute until it can be paired again.
      it("that was removed is paired anew by its 11 digits, as the same device", async () => {
        const again = await hub.pair(device.manualPairingCode);
        expect(again).toMatchObject({ state: "done", found: [{ edgeId }] });
        await online();
        expect(await home.put(edgeId, "Switch:1.on", true)).toMatchObject({ status: 200 });
      });

      it("that was reset by hand is offline, and reported with the remedy; the hub can forget it", async () => {
        await device.kill();
        device = await MatterDeviceProgram.start(network, { discriminator: DISCRIMINATOR, uniqueId: UNIQUE });
        await eventually("it is offline", async () => !(await hub.hub.isOnline(edgeId)));
        expect(await home.put(edgeId, "Switch:1.on", false, 3)).toMatchObject({ body: { outcome: "not_applied" } });
        const { id } = await hub.begin("matter-remove");
        const { choices = [] } = await hub.asks(id);
        await hub.answers(id, choices[0] ?? "");
        const { text } = await eventually(
          "it asks",
          async () => {
            const { question } = await hub.look(id);
            return question?.text.includes("does not answer") ? question : undefined;
          },
          120_000,
        );
        expect(text).toContain("reset by hand");
        await hub.answers(id, "Forget it on this hub");
        expect(await hub.ends(id)).toMatchObject({ state: "done" });
        await eventually("it is forgotten", async () => (await hub.status()).nodes === 0);
      });

      it.for(["Looking for", "was found", "Pairing."])(
        "whose pairing is cut off by the death of the driver at “%s” is paired afterwards, or can be paired",
        async (step) => {
          const { pid, nodes } = await hub.status();
          const { id } = await hub.begin("matter");
          await hub.answers(id, device.qrPairingCode);
          await eventually("it is so far", async () => {
            const { text, state } = await hub.look(id);
            return text.includes(step) || state !== "running";
          });
          process.kill(Number(pid), "SIGKILL");
          await hub.ends(id);
          await eventually("the driver runs again", async () => Number((await hub.status()).pid) !== Number(pid));
          await eventually("the driver is up", async () => (await hub.driver()).setups.length > 0);
          const had = async () => Number((await hub.status()).nodes) > Number(nodes);
          await eventually(
            "it is had",
            async () => (await had()) || (await hub.pair(device.qrPairingCode)).state === "done",
            200_000,
          );
          await online();
          expect(await home.put(edgeId, "Switch:1.on", true)).toMatchObject({ status: 200 });
          await removed("Porch lamp");
        },
      );

      it("is paired and set where there is no IPv6", async () => {
        network.withoutIpv6();
        expect(await hub.pair(device.manualPairingCode)).toMatchObject({ state: "done", found: [{ edgeId }] });
        await online();
        expect(await home.put(edgeId, "Switch:1.on", false)).toMatchObject({ status: 200 });
        await removed("Porch lamp");
      });

      it("that is a bridge with 100 lamps is 100 devices, each there while the bridge reaches it", async () => {
        await using bridge = await MatterDeviceProgram.start(network, {
          discriminator: (DISCRIMINATOR + 1) % 4096,
          port: 5541,
          uniqueId: `bridge-${process.pid}`,
          bridged: 100,
        });
        const begun = performance.now();
        const { found, state } = await hub.pair(bridge.qrPairingCode);
        expect([state, found.length]).toEqual(["done", 100]);
        const edgeIds = found.flatMap((each) => each.edgeId ?? []);
        await hub.hub.found(...edgeIds);
        measured("a bridge of 100 lamps, until all are online", begun);
        console.info(`Matter: private memory of the driver's process with it: ${await hub.memoryMb()} MB`);
        const [first = "", last = ""] = [edgeIds[0], edgeIds.at(-1)];
        expect(await home.put(last, "LightLevel:0.level", 30)).toMatchObject({ status: 200, body: { value: 29.9 } });
        await bridge.does({ of: 0, reachable: false });
        await eventually("it is offline", async () => !(await hub.hub.isOnline(first)));
        expect(await home.put(last, "Switch:0.on", true)).toMatchObject({ status: 200 });
      });

      it("of each kind behind a bridge of another team is found, and set through the cloud", async () => {
        const begun = performance.now();
        await using bridge = await Matterbridge.start(network);
        measured("matterbridge, until it can be paired", begun);
        const paired = performance.now();
        const { found, state } = await hub.pair(bridge.pairingCode);
        expect(state).toBe("done");
        expect(found.length).toBeGreaterThan(65);
        const edgeIdOf = (name: string) => found.find((each) => each.name === name)?.edgeId ?? "";
        const [outlet, dimmer] = [edgeIdOf("Outlet"), edgeIdOf("Dimmer")];
        await hub.hub.found(outlet, dimmer);
        measured("matterbridge paired", paired);
        console.info(`Matter: private memory of the driver's process with it: ${await hub.memoryMb()} MB`);
        const called = bridge.does("Outlet", "Command on called");
        expect(await home.put(outlet, "Switch:0.on", true)).toMatchObject({ status: 200, body: { value: true } });
        await called;
        expect(await home.put(dimmer, "LightLevel:0.level", 40)).toMatchObject({ status: 200 });
      });
    });

  async function removed(name: string): Promise<void> {
    const { id } = await hub.begin("matter-remove");
    const { choices = [] } = await hub.asks(id);
    await hub.answers(id, choices.find((choice) => choice.startsWith(name)) ?? "");
    expect(await hub.ends(id)).toMatchObject({ state: "done" });
  }
});

// Each has a home of its own.
if (rounds(0, 1) === 1) {
  outOfMemory();
  twoHubs();
  neighbours();
  clockJumps();
}

function measured(what: string, begun: number): void {
  console.info(`Matter: ${what}: ${Math.round(performance.now() - begun)} ms`);
}
