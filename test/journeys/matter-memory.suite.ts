/**
 * A driver that needs more memory than it may have, because a bridge has grown: what it costs the hub, what its callers are answered, and
 * whether it is as before when the bridge has shrunk. Its own file because its hub gives the driver less memory than others do.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { MatterDeviceProgram, MatterNetwork } from "../parts/matter-device.ts";
import { MatterHome } from "../parts/matter-home.ts";
import { refuseMemory } from "../parts/refused-memory.ts";
import { LAMP } from "../parts/simulator.ts";

/** The driver starts with it and has a bridge with a few lamps, MB; it has been seen to end with some twenty. */
const LITTLE_MB = 44;
const MANY = 150;
const LEVEL = "LightLevel:0.level";

interface Asked {
  /** As Matter has it, of 254. */
  readonly level: number;
  readonly status: number;
  readonly outcome: string | undefined;
}

/** In `npm run test:long` only: the driver dies again and again, which takes a minute. */
export function outOfMemory(): void {
  describe("a driver that runs out of memory", { timeout: 400_000 }, () => {
    const stack = new AsyncDisposableStack();
    let network: MatterNetwork;
    let hub: MatterHome;
    let bridge: MatterDeviceProgram;
    let edgeId = "";

    beforeAll(async () => {
      network = stack.use(new MatterNetwork());
      const about = { discriminator: (process.pid + 7) % 4096, uniqueId: `growing-${process.pid}`, bridged: 2 };
      stack.defer(() => bridge?.[Symbol.asyncDispose]());
      bridge = await MatterDeviceProgram.start(network, about);
      hub = stack.use(await MatterHome.start({ memoryMb: LITTLE_MB }));
      const { found } = await hub.pair(bridge.qrPairingCode);
      edgeId = found[0]?.edgeId ?? "";
      await hub.hub.found(edgeId);
    }, 240_000);
    afterAll(() => stack.disposeAsync());

    /** One write after another until it is so; the levels go round. */
    async function writeUntil(isOver: () => Promise<boolean>): Promise<readonly Asked[]> {
      const asked: Asked[] = [];
      for (let number = 1; !(await isOver()); number++) {
        const level = 2 + (number % 250);
        const { status, body } = await hub.hub.home.put(edgeId, LEVEL, (level / 254) * 100, 5);
        asked.push({ level, status, outcome: body.outcome });
        // The hub's other devices are there all the time.
        expect(await hub.hub.home.put(LAMP, "LightLevel.level", number % 100)).toMatchObject({ status: 200 });
      }
      return asked;
    }
    /** What the bridge has done since is what the callers were answered. @param from so many touches were before */
    function judge(asked: readonly Asked[], from: number): void {
      const done = bridge.touches.slice(from).filter(({ what }) => what === "level 0");
      for (const { level, status, outcome } of asked) {
        const times = done.filter(({ value }) => value === level).length;
        expect(times, `${level}: ${status} ${outcome}`).toBeLessThanOrEqual(1);
        if (status === 200) expect(times, `${level}: confirmed`).toBe(1);
        else
          expect(outcome, `${level}: done ${times} times`).toMatch(
            times === 1 ? /^unknown$/ : /^(unknown|not_applied|not_sent)$/,
          );
      }
    }
    const restarts = async () => Number((await hub.status()).restarts);
    const problem = async () => (await hub.driver()).problem ?? "";

    it("is ended and started again, and each write was done or not as its caller was answered", async () => {
      expect(await hub.hub.home.put(edgeId, LEVEL, 100)).toMatchObject({ status: 200 });
      const before = bridge.touches.length;
      const grown = bridge.does({ lamps: MANY });
      const asked = await writeUntil(async () => (await hub.status()).driver === "failed");
      expect((await hub.status()).failure).toMatch(/SIGABRT: it needs more memory than it is allowed/);
      expect(asked.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
      judge(asked, before);
      await eventually("its devices are offline", async () => !(await hub.hub.isOnline(edgeId)));
      await grown;
    });

    it("that fails again and again is named, with the reason, in the hub's problem", async () => {
      await eventually("it has failed three times", async () => (await restarts()) >= 2, 180_000);
      await eventually(
        "it is named",
        async () => /keeps failing.*more memory than it is allowed/.test(await problem()),
        180_000,
      );
      expect(await hub.hub.home.put(LAMP, "LightLevel.level", 33)).toMatchObject({ status: 200 });
    });

    it("has its devices again when there is less to remember, in the same fabric", async () => {
      const { fabric } = await eventually("it reports its fabric", async () => {
        const now = await hub.status();
        return now.fabric === undefined ? undefined : now;
      });
      await bridge.does({ lamps: 2 });
      await eventually("it is online", () => hub.hub.isOnline(edgeId), 180_000);
      expect(await hub.hub.home.put(edgeId, LEVEL, 50)).toMatchObject({ status: 200, body: { value: 50 } });
      await eventually("it has one node", async () => (await hub.status()).nodes === 1);
      expect((await hub.status()).fabric).toBe(fabric);
    });

    it("that the system gives no more memory dies without a message, and is back in its turn; the answers to its writes are true", async () => {
      const { pid } = await hub.status();
      const [before, number] = [bridge.touches.length, await restarts()];
      refuseMemory(Number(pid));
      const grown = bridge.does({ lamps: 12 });
      const asked = await writeUntil(async () => (await hub.status()).driver !== "running");
      expect((await hub.status()).failure).toMatch(/^it was ended by SIG[A-Z]+/);
      judge(asked, before);
      await grown;
      await bridge.does({ lamps: 2 });
      await eventually("it is offline, and back", () => hub.hub.isOnline(edgeId), 180_000);
      expect(await restarts()).toBe(number + 1);
      expect(await hub.hub.home.put(edgeId, LEVEL, 50)).toMatchObject({ status: 200, body: { value: 50 } });
    });
  });
}
