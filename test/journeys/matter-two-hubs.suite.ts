/**
 * One Matter device that two homes share, each by a hub of its own: paired with both by codes that a phone's app gives out, as people
 * do it. Its own file because it needs two homes.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { Controller } from "../parts/matter/controller-program.ts";
import { MatterDeviceProgram, MatterNetwork } from "../parts/matter-device.ts";
import { MatterHome } from "../parts/matter-home.ts";

const ON = "Switch:1.on";
const LEVEL = "LightLevel:1.level";
const LOCK = "Lock:4.locked";

/** In `npm run test:long` only: two whole homes. */
export function twoHubs(): void {
  describe("a Matter device of two hubs", { timeout: 240_000 }, () => {
    const stack = new AsyncDisposableStack();
    let network: MatterNetwork;
    let device: MatterDeviceProgram;
    let phone: Controller;
    let hubs: readonly [MatterHome, MatterHome];
    let edgeId = "";

    beforeAll(async () => {
      network = stack.use(new MatterNetwork());
      const about = { discriminator: (process.pid + 11) % 4096, uniqueId: `shared-${process.pid}` };
      stack.defer(() => device?.[Symbol.asyncDispose]());
      device = await MatterDeviceProgram.start(network, about);
      hubs = [stack.use(await MatterHome.start()), stack.use(await MatterHome.start())];
      phone = stack.use(await Controller.start([]));
    }, 240_000);
    afterAll(() => stack.disposeAsync());

    const put = ({ hub }: MatterHome, selector: string, value: unknown) => hub.home.put(edgeId, selector, value);
    const shows = ({ hub }: MatterHome, selector: string, value: unknown) =>
      eventually(`${selector} is ${value}`, async () => (await hub.home.cached(edgeId, selector))?.value === value);

    it("is paired with each by a code of its own, and is the same device to both", async () => {
      await phone.pair(device.manualPairingCode);
      for (const home of hubs) {
        const { state, found } = await home.pair(await phone.share());
        expect([state, found.length]).toEqual(["done", 1]);
        edgeId = found[0]?.edgeId ?? "";
        await home.admit(edgeId);
        await home.hub.found(edgeId);
      }
      const fabrics = await Promise.all(hubs.map(async (home) => (await home.status()).fabric));
      expect(new Set(fabrics).size).toBe(2);
    });

    it("is set by each, and each write is reported to the other and to the phone", async () => {
      const [one, other] = hubs;
      expect(await put(one, ON, true)).toMatchObject({ status: 200 });
      await shows(other, ON, true);
      expect(await put(other, LEVEL, 50)).toMatchObject({ status: 200, body: { value: 50 } });
      await shows(one, LEVEL, 50);
      await eventually(
        "the phone is notified",
        async () => (await phone.attribute(1, "levelControl", "currentLevel")) === 127,
      );
    });

    it("is set by both at the same time: each is confirmed, and both know what it is in the end", async () => {
      const [one, other] = hubs;
      for (let round = 0; round < 6; round++) {
        const before = device.touches.length;
        const isOn = round % 2 === 1;
        const answers = await Promise.all([put(one, ON, isOn), put(other, ON, isOn), put(other, LOCK, isOn)]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(
          device.touches
            .slice(before)
            .map(({ what }) => what)
            .toSorted(),
        ).toEqual(["lamp", isOn ? "lock" : "unlock"]);
        for (const home of hubs) await shows(home, ON, isOn);
        for (const home of hubs) await shows(home, LOCK, isOn);
      }
    });

    it("stays the other's when one is killed, or lets it go", async () => {
      const [one, other] = hubs;
      process.kill(Number((await one.status()).pid), "SIGKILL");
      expect(await put(other, ON, true)).toMatchObject({ status: 200 });
      await eventually("it is seen to be gone", async () => !(await one.hub.isOnline(edgeId)));
      await eventually("it is there again", () => one.hub.isOnline(edgeId), 120_000);
      await shows(one, ON, true);
      await eventually("it can be removed", async () => (await one.driver()).setups.length > 1);
      const { id } = await one.begin("matter-remove");
      const { choices = [] } = await one.asks(id);
      await one.answers(id, choices[0] ?? "");
      expect(await one.ends(id)).toMatchObject({ state: "done" });
      await eventually("it is gone", async () => !(await one.hub.isOnline(edgeId)));
      await eventually("the hub has no node", async () => (await one.status()).nodes === 0);
      expect(await put(other, ON, false)).toMatchObject({ status: 200 });
      expect(await other.hub.isOnline(edgeId)).toBe(true);
      await eventually("the phone is notified", async () => (await phone.attribute(1, "onOff", "onOff")) === false);
    });

    it("can be shared with the first one again, as the same device", async () => {
      const [one] = hubs;
      const { state, found } = await one.pair(await phone.share());
      expect([state, found[0]?.edgeId]).toEqual(["done", edgeId]);
      await eventually("it is online", () => one.hub.isOnline(edgeId), 120_000);
      expect(await put(one, ON, true)).toMatchObject({ status: 200 });
      await shows(hubs[1], ON, true);
    });
  });
}
