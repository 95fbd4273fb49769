/**
 * Two bridges on one machine, each of a hub of its own, with controllers that pair, share, command and leave side by side. The hubs are
 * played, bridges and controllers are real.
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
import { refuseMemory } from "../parts/refused-memory.ts";

const PORTS = [5540, 5541] as const;

interface Running {
  readonly hub: PlayedHub;
  readonly data: string;
  program: Program;
}

/** In `npm run test:long` only: two bridges and three controllers. */
export function twoBridges(): void {
  describe("two bridges on one machine", () => {
    const stack = new AsyncDisposableStack();
    let network: ControllerNetwork;
    let bridges: readonly [Running, Running];
    let [phone, tablet, laptop]: Controller[] = [];

    beforeAll(async () => {
      network = stack.use(new ControllerNetwork());
      bridges = [await bridge(["Switch"], PORTS[0]), await bridge(["Switch", "LightLevel"], PORTS[1])];
      const controller = async () => stack.use(await Controller.start(network.within("controller")));
      [phone, tablet, laptop] = [await controller(), await controller(), await controller()];
    });
    afterAll(() => stack.disposeAsync());

    async function bridge(services: readonly string[], port: number): Promise<Running> {
      const hub = stack.use(
        await PlayedHub.start(
          network.here,
          services.map((service) => [service]),
        ),
      );
      const data = mkdtempSync(join(tmpdir(), "porchlight-bridge-"));
      stack.defer(() => rmSync(data, { recursive: true, force: true }));
      writeFileSync(join(data, "token"), "plt_loc_played\n");
      const running = { hub, data, program: start({ hub, data }, port) };
      stack.defer(() => running.program.kill());
      return running;
    }
    function start({ hub, data }: Pick<Running, "hub" | "data">, port: number): Program {
      hub.bridge = {};
      const args = ["--data", data, "--hub", hub.url, "--log-level", "warn", "--matter-port", String(port)];
      return new Program("bridge", "matter-bridge/src/main.ts", args, {}, network.within("hub"));
    }
    const code = ({ hub }: Running) => eventually("the bridge waits", async () => hub.bridge.manualCode);
    const namesOf = async (controller: Controller) =>
      (await controller.endpoints()).flatMap(({ information }) => information.nodeLabel ?? []);
    const endpoint = async (controller: Controller, name: string) => (await controller.device(name))?.number ?? 0;
    const notified = (controller: Controller, at: number, value: boolean) =>
      eventually("it is notified", async () => (await controller.attribute(at, "onOff", "onOff")) === value);

    it("are paired at the same time, each by its own code, and each shows its own hub's devices", async () => {
      const codes = [await code(bridges[0]), await code(bridges[1])];
      expect(new Set(codes).size).toBe(2);
      await Promise.all([phone?.pair(codes[0] ?? ""), tablet?.pair(codes[1] ?? "")]);
      expect(await namesOf(one())).toEqual(["Device 0"]);
      expect((await namesOf(other())).toSorted()).toEqual(["Device 0", "Device 1"]);
    });

    it("send a controller's commands to their own hub alone", async () => {
      await Promise.all([
        one().invoke(await endpoint(one(), "Device 0"), "onOff", "on"),
        other().invoke(await endpoint(other(), "Device 0"), "onOff", "off"),
      ]);
      expect(bridges.map(({ hub }) => hub.asked)).toEqual([["0 Switch.on = true"], ["0 Switch.on = false"]]);
    });

    it("have a controller of another home each as well, both notified at the same time, and both commanding at the same time", async () => {
      await third().pair(await one().share());
      const at = await endpoint(third(), "Device 0");
      const [{ hub }] = bridges;
      for (const value of [false, true, false]) {
        hub.changes(0, "Switch", "on", value);
        await Promise.all([notified(one(), at, value), notified(third(), at, value)]);
      }
      const before = hub.asked.length;
      await Promise.all([one().invoke(at, "onOff", "on"), third().invoke(at, "onOff", "on")]);
      expect(hub.asked.slice(before)).toEqual(["0 Switch.on = true", "0 Switch.on = true"]);
      await Promise.all([notified(one(), at, true), notified(third(), at, true)]);
    });

    it("keep the others when one controller leaves", async () => {
      const [{ hub }] = bridges;
      const at = await endpoint(one(), "Device 0");
      await third().leave();
      await eventually("it has one controller", async () => hub.bridge.controllers?.length === 1);
      expect(hub.bridge.state).toBe("paired");
      hub.changes(0, "Switch", "on", false);
      await notified(one(), at, false);
      await one().invoke(at, "onOff", "on");
    });

    it("go on when one is killed and started again, and each controller finds its own", async () => {
      const [first] = bridges;
      await first.program.kill();
      await other().invoke(await endpoint(other(), "Device 0"), "onOff", "on");
      first.program = start(first, PORTS[0]);
      first.hub.changes(0, "Switch", "on", false);
      await notified(one(), await endpoint(one(), "Device 0"), false);
      await one().invoke(await endpoint(one(), "Device 0"), "onOff", "on");
      expect(await namesOf(one())).toEqual(["Device 0"]);
    });

    it("carry out each command once, or again when its controller repeats it, while one runs out of memory", async () => {
      const [first] = bridges;
      const at = await endpoint(one(), "Device 0");
      const before = first.hub.asked.length;
      let isOver = false;
      // As the service's unit does.
      const again = first.program.ended.then(() => {
        isOver = true;
        first.program = start(first, PORTS[0]);
      });
      refuseMemory(first.program.pid);
      const sent: string[] = [];
      while (!isOver) {
        const isOn = sent.length % 2 === 0;
        sent.push(`0 Switch.on = ${isOn}`);
        await one().invoke(at, "onOff", isOn ? "on" : "off");
      }
      await again;
      const asked = first.hub.asked.slice(before);
      expect(asked.filter((each, index) => each !== asked[index - 1])).toEqual(sent);
      expect(asked.length - sent.length).toBeLessThanOrEqual(1);
      first.hub.changes(0, "Switch", "on", sent.length % 2 === 0);
      await notified(one(), at, sent.length % 2 === 0);
    });

    it("cannot have one port: the second ends, and its message names the port in use", async () => {
      const [first, second] = bridges;
      await second.program.stop();
      second.program = start(second, PORTS[0]);
      expect((await second.program.ended).code).toBe(1);
      expect(second.program.stderr).toMatch(/5540/);
      await one().invoke(await endpoint(one(), "Device 0"), "onOff", "off");
      expect(first.hub.asked.at(-1)).toBe("0 Switch.on = false");
    });

    const have = (controller: Controller | undefined) => controller ?? missing();
    const one = () => have(phone);
    const other = () => have(tablet);
    const third = () => have(laptop);
  });
}

function missing(): never {
  throw new Error("there is no such controller");
}
