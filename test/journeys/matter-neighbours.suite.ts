/**
 * One Matter device that two hubs of one home are paired with: to people it is one device, of the hub that has it, and the other takes over when
 * that one is gone. Its own file because its home has two hubs of one owner; in `matter-two-hubs.suite.ts` each has an owner of its own.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import type { DeviceSummary } from "../parts/home.ts";
import { Controller } from "../parts/matter/controller-program.ts";
import { MatterDeviceProgram, MatterNetwork } from "../parts/matter-device.ts";
import { MatterHome } from "../parts/matter-home.ts";

const LEVEL = "LightLevel:1.level";
const ON = "Switch:1.on";

/** In `npm run test:long` only: a hub asks every 30 s whether another has let a device go, and one that vanished has it for a minute. */
export function neighbours(): void {
  describe("a Matter device of two hubs of one home", () => {
    const stack = new AsyncDisposableStack();
    let network: MatterNetwork;
    let device: MatterDeviceProgram;
    let phone: Controller;
    let [first, second]: MatterHome[] = [];
    let edgeId = "";
    let id = "";

    beforeAll(async () => {
      network = stack.use(new MatterNetwork());
      const about = { discriminator: (process.pid + 29) % 4096, uniqueId: `neighbours-${process.pid}` };
      stack.defer(() => device?.[Symbol.asyncDispose]());
      device = await MatterDeviceProgram.start(network, about);
      first = stack.use(await MatterHome.start());
      second = await first.neighbour();
      phone = stack.use(await Controller.start([]));
    });
    afterAll(() => stack.disposeAsync());

    const one = () => first ?? missing();
    const other = () => second ?? missing();
    const home = () => one().hub.home;
    const shown = async () => {
      const { items } = await home().api.good<{ items: DeviceSummary[] }>("GET", "/api/devices");
      return items.filter((item) => item.edgeId === edgeId);
    };
    const isOf = (hub: MatterHome) => async () => {
      const [item] = await shown();
      return item?.clientId === hub.clientId && item.connection.state === "online";
    };
    const claims = () =>
      home()
        .events()
        .filter(({ type }) => type === "device.claimed");
    const connected = async (hub: MatterHome) => (await hub.status()).connected === 1;
    /** Sets it; the device receives one command. */
    async function set(isOn: boolean): Promise<void> {
      const before = device.touches.length;
      expect(await home().put(edgeId, ON, isOn)).toMatchObject({ status: 200, body: { value: isOn } });
      await eventually("the device has reported what it did", async () => device.touches.length > before);
      expect(device.touches.slice(before).map(({ what, value }) => [what, value])).toEqual([["lamp", isOn]]);
    }

    it("is the first hub's; the second is paired with it too, and it is one device, of which the owner is notified once", async () => {
      await phone.pair(device.manualPairingCode);
      for (const hub of [one(), other()]) {
        const { state, found } = await hub.pair(await phone.share());
        expect(state).toBe("done");
        edgeId = found[0]?.edgeId ?? "";
        await hub.admit(edgeId);
        if (hub === one()) await hub.hub.found(edgeId);
      }
      await eventually(
        "both are connected with it",
        async () => (await connected(one())) && (await connected(other())),
      );
      await eventually("the owner is notified", async () => claims().length > 0);
      expect(claims().map(({ data }) => data.claimedBy)).toEqual([{ clientId: other().clientId }]);
      const items = await shown();
      expect(items.map(({ clientId }) => clientId)).toEqual([one().clientId]);
      id = items[0]?.id ?? "";
    });

    it("is set once by a command, and each change at it is reported once", async () => {
      await set(true);
      await set(false);
      const changes = () =>
        home()
          .events()
          .filter(({ type, data }) => type === "property.changed" && data.item.deviceId === id)
          .map(({ data }) => [data.item.service, data.item.value]);
      const before = changes().length;
      await device.does({ celsius: 27.5 });
      await eventually(
        "it is known",
        async () => (await home().cached(edgeId, "Temperature:2.celsius"))?.value === 27.5,
      );
      expect(changes().slice(before)).toEqual([["Temperature", 27.5]]);
    });

    it("is the second's, under the same ID, once the first is gone", async () => {
      await home().agent.stop();
      await eventually("the second has it", isOf(other()));
      await set(true);
      expect((await shown()).map((item) => item.id)).toEqual([id]);
    });

    it("stays the second's when the first is back", async () => {
      home().startAgent();
      await eventually("the first is connected with it", () => connected(one()));
      expect(await home().put(edgeId, LEVEL, 50)).toMatchObject({ status: 200 });
      await set(false);
      expect(await isOf(other())()).toBe(true);
      expect(await shown()).toHaveLength(1);
    });

    it("is the first's again once a person has removed it on the second", async () => {
      const { id: setup } = await other().begin("matter-remove");
      const { choices = [] } = await other().asks(setup);
      await other().answers(setup, choices[0] ?? "");
      expect(await other().ends(setup)).toMatchObject({ state: "done" });
      await eventually("the first has it", isOf(one()));
      await set(true);
      expect((await shown()).map((item) => item.id)).toEqual([id]);
    });
  });
}

function missing(): never {
  throw new Error("there is no such hub");
}
