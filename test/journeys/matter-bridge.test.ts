/**
 * A lamp that is described by its own firmware, the C reference on a pseudo-terminal, in a Matter controller of another make: through the
 * hub and the bridge, both real, and the controller on another host. What a phone does is done with matter.js of another version.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Programs } from "../../firmware-sim/test/build.ts";
import { Lamp } from "../../firmware-sim/test/lamp.ts";
import { eventually } from "../parts/eventually.ts";
import { freePort } from "../parts/free-port.ts";
import { Home } from "../parts/home.ts";
import { ControllerNetwork } from "../parts/matter/controller-network.ts";
import { Controller } from "../parts/matter/controller-program.ts";
import { Program } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";
import { HALL_SWITCH, LAMP } from "../parts/simulator.ts";
import { bridgeClockJumps } from "./matter-bridge-clock.suite.ts";
import { twoBridges } from "./matter-bridges.suite.ts";

/** Only ends a hung test, ms. */
const C_LAMP = "02-50-4C-00-0C-01";
const TYPES = { colourLight: 0x10d, bridged: 0x13, plug: 0x10a };
/** Statuses of Matter: it is safe to repeat, and it may have happened. */
const [BUSY, TIMEOUT] = [0x9c, 0x94];

interface Bridged {
  readonly state: "waiting" | "paired";
  readonly manualCode?: string;
  readonly devices: number;
  readonly controllers: readonly unknown[];
}

describe("a hub's devices in a Matter controller", () => {
  const stack = new AsyncDisposableStack();
  let network: ControllerNetwork;
  let home: Home;
  let lamp: Lamp;
  let bridge: Program;
  let phone: Controller;
  let tablet: Controller;
  let data: string;
  let url: string;
  /** The lamp's endpoint. */
  let at: number;

  beforeAll(async () => {
    network = stack.use(new ControllerNetwork());
    const programs = stack.use(await Programs.make());
    lamp = stack.use(await Lamp.start(await programs.build("lamp", ["examples/lamp.c", "porchlight.c"])));
    const port = await freePort();
    const agentEnv = { PORCHLIGHT_API_PORT: String(port), PORCHLIGHT_API_HOST: network.here };
    home = stack.use(await Home.start({ serial: [lamp.port], agentEnv }));
    url = `http://${network.here}:${port}`;
    data = mkdtempSync(join(tmpdir(), "porchlight-bridge-"));
    stack.defer(() => rmSync(data, { recursive: true, force: true }));
    writeFileSync(join(data, "token"), await agentPrints("token", "create", "--name", "Matter bridge"));
    stack.defer(() => bridge?.kill());
    startBridge();
    phone = stack.use(await Controller.start(network.within("controller")));
  });
  afterAll(() => stack.disposeAsync());

  function startBridge(): void {
    const args = ["--data", data, "--hub", url];
    bridge = new Program("bridge", "matter-bridge/src/main.ts", args, {}, network.within("hub"));
  }

  /** The first line that a command of the agent prints. */
  async function agentPrints(...command: string[]): Promise<string> {
    await using program = new Program("command", "agent/src/main.ts", [...command, "--data", home.agentData]);
    return await program.line((line) => line);
  }
  const bridged = async (): Promise<Bridged> => JSON.parse(await agentPrints("matter", "--json"));
  const notified = (endpoint: number, cluster: string, name: string, value: unknown) =>
    eventually(
      `${cluster}.${name} is ${value}`,
      async () => (await phone.attribute(endpoint, cluster, name)) === value,
    );
  const lampPrints = (what: RegExp) => eventually("the firmware prints it", async () => what.test(lamp.last ?? ""));
  const endpointsOf = async () =>
    new Map((await phone.endpoints()).map(({ number, information }) => [information.uniqueId ?? number, number]));

  it("is paired by the code that the hub shows, and has every device by its name and its kind", async () => {
    const {
      state,
      manualCode = "",
      devices,
    } = await eventually("the bridge waits", async () => {
      const now = await bridged();
      return now.devices > home.simulator.devices.length - 1 ? now : undefined;
    });
    expect([state, manualCode]).toEqual(["waiting", expect.stringMatching(/^\d{11}$/)]);
    const { pairedMs, knownMs } = await phone.pair(manualCode);
    console.info(
      `Matter bridge: paired in ${Math.round(pairedMs)} ms, all ${devices} devices known after ${Math.round(knownMs)} ms`,
    );
    const endpoints = await phone.endpoints();
    const roots = endpoints.filter(({ information }) => information.nodeLabel !== undefined);
    expect(roots.length).toBe(devices);
    expect(roots.every(({ types }) => types.includes(TYPES.bridged))).toBe(true);
    const found = await phone.device("Desktop lamp");
    expect(found).toMatchObject({ information: { reachable: true, vendorName: "Porchlight" } });
    // A button, too: so the lamp is a part of a bridged node.
    const parts = await phone.endpointsOf(found?.number ?? 0);
    at = parts.find(({ types }) => types.includes(TYPES.colourLight))?.number ?? 0;
    expect(parts[0]?.number).toBeLessThan(at);
    expect(await bridged()).toMatchObject({ state: "paired", controllers: [{}] });
  });

  it("switches the lamp, whose firmware does it, and the hub's journal records that it was asked at home", async () => {
    console.info(
      `Matter bridge: a command, until its lamp has confirmed it: ${await phone.invoke(at, "onOff", "on")} ms`,
    );
    await lampPrints(/^lamp: on/);
    await notified(at, "onOff", "onOff", true);
    await phone.invoke(at, "levelControl", "moveToLevelWithOnOff", {
      ...{ level: 127, transitionTime: null, optionsMask: {}, optionsOverride: {} },
    });
    await lampPrints(/^lamp: on, level 50,/);
    await eventually("the cloud knows who did it", async () =>
      home.events().some(({ type, data: { item, cause } }) => {
        return type === "property.changed" && item.property === "on" && item.value === true && cause.kind === "local";
      }),
    );
  });

  it("receives at once a change made at the lamp itself", async () => {
    const began = performance.now();
    lamp.press("t");
    await notified(at, "onOff", "onOff", false);
    measured("the lamp's own switch, until a controller is notified", began);
  });

  it("gets an error when a device does not answer, nothing is done, and the device is as it was", async () => {
    await home.simulator.tell(`fault ${LAMP} silent`);
    const light = await eventually("the light is known", () => phone.device("Porch light"));
    const failed = await phone.invoke(light.number, "onOff", "on").catch((failure: unknown) => failure);
    expect([BUSY, TIMEOUT]).toContain(Reflect.get(Object(failed), "status"));
    await home.simulator.tell(`fault ${LAMP} none`);
  });

  it("has two gangs of one switch as two plugs of one device", async () => {
    const root = (await phone.device("Hall switch"))?.number ?? 0;
    const parts = await phone.endpointsOf(root);
    const [first, second] = parts.filter(({ types }) => types.includes(TYPES.plug));
    expect([first?.number, second?.number]).toEqual([root + 1, root + 2]);
    await phone.invoke(second?.number ?? 0, "onOff", "on");
    await phone.invoke(first?.number ?? 0, "onOff", "off");
    expect(await home.simulator.value(HALL_SWITCH, "Switch:1.on")).toBe(true);
    expect(await home.simulator.value(HALL_SWITCH, "Switch:0.on")).toBe(false);
  });

  it("follows a device that is renamed, deleted and added again, while it runs", async () => {
    const { id } = await home.device(C_LAMP);
    await home.api.good("PUT", `/api/devices/${id}`, { meta: { "$.name": "Lamp of the desk" } });
    await eventually("the name is reported", () => phone.device("Lamp of the desk"));
    const { id: hall } = await home.device(HALL_SWITCH);
    const before = await endpointsOf();
    await home.api.good("DELETE", `/api/devices/${hall}`);
    await eventually("it is gone", async () => (await endpointsOf()).size < before.size);
    await agentPrints("devices", "add", HALL_SWITCH);
    await eventually("it is back", async () => (await endpointsOf()).size === before.size);
    const now = await endpointsOf();
    // Another device to the cloud, and so to the controller: no number is used twice.
    const added = [...now].filter(([uniqueId]) => !before.has(uniqueId));
    expect(added.length).toBeGreaterThan(0);
    expect([...before.values()].filter((number) => added.some(([, each]) => each === number))).toEqual([]);
  });

  it("lets a second controller in, which the first one shares the bridge with", async () => {
    tablet = stack.use(await Controller.start(network.within("controller")));
    await tablet.pair(await phone.share());
    const number = at;
    await tablet.invoke(number, "onOff", "on");
    await notified(at, "onOff", "onOff", true);
    expect((await bridged()).controllers.length).toBe(2);
  });

  it("has the same endpoints after the bridge was killed and started again, and gets the changes made meanwhile", async () => {
    const before = await endpointsOf();
    await bridge.kill();
    lamp.press("t");
    const began = performance.now();
    startBridge();
    await notified(at, "onOff", "onOff", false);
    measured("the bridge was killed, until a controller has the changes made meanwhile", began);
    await phone.invoke(at, "onOff", "on");
    await lampPrints(/^lamp: on/);
    expect(await endpointsOf()).toEqual(before);
  });

  // Each waits for a hub or a bridge that begins anew.
  if (rounds(0, 1) === 1)
    describe("at length", () => {
      it("sees the devices of an offline hub as unreachable, and as reachable when they are back", async () => {
        const reachable = async () => (await phone.device("Lamp of the desk"))?.information.reachable;
        await home.agent.kill();
        await eventually("it is out of reach", async () => (await reachable()) === false);
        const failed = await phone.invoke(at, "onOff", "on").catch((failure: unknown) => failure);
        expect(Reflect.get(Object(failed), "status")).toBe(BUSY);
        home.startAgent();
        await eventually("it is within reach", async () => (await reachable()) === true);
        await phone.invoke(at, "onOff", "on");
        await lampPrints(/^lamp: on/);
      });

      it("has the same endpoints when every controller has left, and one is paired again by a new code", async () => {
        const before = await endpointsOf();
        await tablet.leave();
        await phone.leave();
        const { manualCode = "" } = await eventually("the bridge waits", async () => {
          const now = await bridged();
          return now.state === "waiting" && now.controllers.length === 0 ? now : undefined;
        });
        await phone.pair(manualCode);
        expect(await endpointsOf()).toEqual(before);
        // The notified value is the lamp's current one.
        await notified(at, "onOff", "onOff", true);
        expect((await phone.device("Lamp of the desk"))?.information.reachable).toBe(true);
      });

      it("forgets every controller when a person begins anew, and its devices keep their numbers", async () => {
        const before = await endpointsOf();
        await bridge.stop();
        rmSync(join(data, "matter"), { recursive: true });
        startBridge();
        const { manualCode = "" } = await eventually("the bridge waits", async () => {
          const now = await bridged();
          return now.state === "waiting" && now.devices > 0 ? now : undefined;
        });
        await phone[Symbol.asyncDispose]();
        phone = stack.use(await Controller.start(network.within("controller")));
        await phone.pair(manualCode);
        expect(await endpointsOf()).toEqual(before);
      });
    });

  it("is notified when the line to a device is cut, and that its neighbours are reachable", async () => {
    await lamp[Symbol.asyncDispose]();
    await eventually("it is out of reach", async () => {
      return (await phone.device("Lamp of the desk"))?.information.reachable === false;
    });
    expect((await phone.device("Porch light"))?.information.reachable).toBe(true);
  });
});

// Each has bridges of its own.
if (rounds(0, 1) === 1) {
  twoBridges();
  bridgeClockJumps();
}

function measured(what: string, began: number): void {
  console.info(`Matter bridge: ${what}: ${Math.round(performance.now() - began)} ms`);
}
