/**
 * A Matter bridge on a hub that has no clock: it boots in 1970, its clock is set while it runs, and jumps. The hub is played, the bridge
 * and the controller are real; the bridge's clock is set by the test (libfaketime).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { ControllerNetwork } from "../parts/matter/controller-network.ts";
import { Controller } from "../parts/matter/controller-program.ts";
import { PlayedHub } from "../parts/matter/played-hub.ts";
import { Program } from "../parts/program.ts";
import { WallClock } from "../parts/wall-clock.ts";

const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;
const SINCE_1970 = 60 - Math.floor(Date.now() / 1000);

/** In `npm run test:long` only. */
export function bridgeClockJumps(): void {
  describe("a bridge on a hub without a clock", { timeout: 120_000 }, () => {
    const stack = new AsyncDisposableStack();
    let network: ControllerNetwork;
    let hub: PlayedHub;
    let clock: WallClock;
    let data = "";
    let bridge: Program;
    let phone: Controller;
    let at = 0;

    beforeAll(async () => {
      data = mkdtempSync(join(tmpdir(), "porchlight-bridge-"));
      stack.defer(() => rmSync(data, { recursive: true, force: true }));
      writeFileSync(join(data, "token"), "plt_loc_played\n");
      clock = new WallClock(data);
      clock.set(SINCE_1970);
      network = stack.use(new ControllerNetwork());
      hub = stack.use(await PlayedHub.start(network.here, [["Switch"]]));
      stack.defer(() => bridge?.[Symbol.asyncDispose]());
      bridge = start();
      phone = stack.use(await Controller.start(network.within("controller")));
    });
    afterAll(() => stack.disposeAsync());

    function start(): Program {
      const args = ["--data", data, "--hub", hub.url, "--log-level", "warn"];
      return new Program("bridge", "matter-bridge/src/main.ts", args, clock.env, network.within("hub"));
    }
    const notified = (value: boolean) =>
      eventually(`it is notified of ${value}`, async () => (await phone.attribute(at, "onOff", "onOff")) === value);

    it("is paired in 1970", async () => {
      const code = await eventually("the bridge waits", async () => hub.bridge.manualCode).catch((failure: unknown) => {
        throw new Error(`${failure}\n${bridge.stderr}`);
      });
      await phone.pair(code);
      at = (await phone.device("Device 0"))?.number ?? 0;
      expect(at).toBeGreaterThan(0);
    });

    it("reports changes and takes commands when its clock jumps", async () => {
      const offsets = [SINCE_1970, 0, HOUR, -HOUR, YEAR, -YEAR, 20 * YEAR, SINCE_1970, 0];
      for (const [round, offset] of offsets.entries()) {
        clock.set(offset);
        const isOn = round % 2 === 0;
        hub.changes(0, "Switch", "on", isOn);
        await notified(isOn);
        const before = hub.asked.length;
        await phone.invoke(at, "onOff", isOn ? "off" : "on");
        expect(hub.asked.slice(before), `${offset} s off`).toEqual([`0 Switch.on = ${!isOn}`]);
        await notified(!isOn);
      }
      // No controller had to subscribe again.
      expect(bridge.stderr).not.toMatch(/subscription/i);
    });

    it.for([SINCE_1970, 20 * YEAR, 0])(
      "is found again when it starts with a clock that is %d s off",
      async (offset) => {
        clock.set(offset);
        await bridge.kill();
        const isOn = offset > 0;
        hub.changes(0, "Switch", "on", !isOn);
        bridge = start();
        hub.changes(0, "Switch", "on", isOn);
        await eventually("it is controlled", () => phone.invoke(at, "onOff", isOn ? "off" : "on").then(() => true));
        await notified(!isOn);
      },
    );
  });
}
