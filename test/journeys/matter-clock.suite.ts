/**
 * A hub whose wall clock jumps, or that has none and boots in 1970, with a Matter device: whether the device stays, and the certificates
 * that it is given hold. Its own file because the hub's and its driver's clocks are set by the test (libfaketime).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { MatterDeviceProgram, MatterNetwork } from "../parts/matter-device.ts";
import { MatterHome } from "../parts/matter-home.ts";
import { WallClock } from "../parts/wall-clock.ts";

const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;
const SINCE_1970 = 60 - Math.floor(Date.now() / 1000);
const TO_MATTER_S = 946_684_800;
const OFFSETS = [HOUR, -HOUR, YEAR, -YEAR, 20 * YEAR, SINCE_1970, 0] as const;
const ON = "Switch:1.on";

interface Validity {
  /** Seconds since 2000; 0 is for ever. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** In `npm run test:long` only: a home of its own. */
export function clockJumps(): void {
  describe("a Matter device of a hub without a clock", { timeout: 240_000 }, () => {
    const stack = new AsyncDisposableStack();
    let clock: WallClock;
    let hub: MatterHome;
    let device: MatterDeviceProgram;
    let network: MatterNetwork;
    let quiet: MatterDeviceProgram;
    let [edgeId, quietId] = ["", ""];

    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), "porchlight-matter-clock-"));
      stack.defer(() => rmSync(folder, { recursive: true, force: true }));
      clock = new WallClock(folder);
      clock.set(SINCE_1970);
      network = stack.use(new MatterNetwork());
      const about = { discriminator: (process.pid + 17) % 4096, uniqueId: `timeless-${process.pid}` };
      stack.defer(() => device?.[Symbol.asyncDispose]());
      stack.defer(() => quiet?.[Symbol.asyncDispose]());
      device = await MatterDeviceProgram.start(network, about);
      hub = stack.use(await MatterHome.start({ clock }));
    }, 240_000);
    afterAll(() => stack.disposeAsync());

    const put = (value: boolean) => hub.hub.home.put(edgeId, ON, value);
    const losses = () => hub.hub.home.events().filter(({ type }) => type === "device.offline");

    it("is paired in 1970, with certificates that are valid now and for years", async () => {
      const { state, text, found } = await hub.pair(device.qrPairingCode);
      expect([state, text]).toEqual(["done", expect.any(String)]);
      edgeId = found[0]?.edgeId ?? "";
      await hub.admit(edgeId);
      await hub.hub.found(edgeId);
      expect(await put(true)).toMatchObject({ status: 200 });
      const certificates = device.reportsValue("certificates");
      await device.does({ certificates: true });
      const now = Date.now() / 1000 - TO_MATTER_S;
      const given = (await certificates) as readonly Validity[];
      expect(given.length).toBeGreaterThanOrEqual(2);
      for (const { notBefore, notAfter } of given) {
        expect(notBefore).toBeGreaterThanOrEqual(0);
        expect(notBefore).toBeLessThan(now);
        if (notAfter !== 0) expect(notAfter).toBeGreaterThan(now + 5 * YEAR);
      }
    });

    it("is not the only one", async () => {
      const about = {
        discriminator: (process.pid + 18) % 4096,
        port: 5541,
        uniqueId: `quiet-${process.pid}`,
        bridged: 1,
      };
      quiet = await MatterDeviceProgram.start(network, about);
      const { found } = await hub.pair(quiet.qrPairingCode);
      quietId = found[0]?.edgeId ?? "";
      await hub.hub.found(quietId);
    });

    it("stays paired, is set, and reports at the right time when the clock jumps", async () => {
      const { pid } = await hub.status();
      const before = losses().length;
      for (const [round, offset] of [0, ...OFFSETS].entries()) {
        clock.set(offset);
        const from = Date.now();
        expect(await put(round % 2 === 0), `${offset} s off`).toMatchObject({ status: 200 });
        await device.does({ celsius: 10 + round });
        const report = await eventually("the report is there", async () => {
          const item = await hub.hub.home.cached(edgeId, "Temperature:2.celsius");
          return item?.value === 10 + round ? item : undefined;
        });
        expect(Math.abs(Date.parse(report.observedAt) - from), `${report.observedAt}, ${offset} s off`).toBeLessThan(
          15_000,
        );
      }
      // The library looks at the time of every device when one reports.
      expect(await hub.hub.home.put(quietId, "Switch:0.on", true)).toMatchObject({ status: 200 });
      expect(losses().slice(before)).toEqual([]);
      expect((await hub.status()).pid).toBe(pid);
    });

    it.for([SINCE_1970, 20 * YEAR, -YEAR, 0])(
      "is there again when its driver starts with a clock that is %d s off",
      async (offset) => {
        clock.set(offset);
        process.kill(Number((await hub.status()).pid), "SIGKILL");
        await eventually("it is seen to be gone", async () => !(await hub.hub.isOnline(edgeId)));
        await eventually("it is online", () => hub.hub.isOnline(edgeId), 120_000);
        expect(await put(offset > 0)).toMatchObject({ status: 200 });
      },
    );
  });
}
