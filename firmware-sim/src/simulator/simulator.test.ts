/** The whole simulator with everything that can go wrong: the same seed is the same life, byte for byte, and each fault does what it says. */
import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { obey } from "./control.ts";
import { startHome } from "./simulator.fixture.ts";

const LIGHT = "02-50-4C-51-00-01";
const light = (faults = "[]") =>
  `nodes: [{name: light, edgeId: ${LIGHT}, faults: ${faults}, devices: [{edgeId: ${LIGHT}, kind: colour-light, lively: true}]}]`;

const ROUGH = `
nodes:
  - name: light
    edgeId: ${LIGHT}
    faults: [drop 0.05, corrupt 0.05, duplicate 0.05, half 0.05, delay 400, garbage 40, drift 1.03, brownout 60, unplug 90]
    devices: [{edgeId: ${LIGHT}, kind: colour-light, lively: true, fault: slow 120}]
  - name: bridge
    edgeId: 02-50-4C-52-00-00
    faults: [corrupt 0.1, unplug 45]
    devices:
      - {edgeId: 02-50-4C-52-00-01, kind: climate-sensor, lively: true}
      - {edgeId: 02-50-4C-52-00-02, kind: button, lively: true}
`;

describe("a rough home", () => {
  const tenMinutes = async (seed: number) => {
    const home = await startHome(ROUGH, seed);
    await home.live(600);
    await home.simulator[Symbol.asyncDispose]();
    return home;
  };

  test("leaves the same trace for the same seed, byte for byte, and another for another", async () => {
    const first = await tenMinutes(7);
    expect(first.trace.length).toBeGreaterThan(1000);
    expect((await tenMinutes(7)).trace.join("\n")).toBe(first.trace.join("\n"));
    expect((await tenMinutes(8)).trace.join("\n")).not.toBe(first.trace.join("\n"));
    // Every fault had its turn: pulled cables, new boots, damage on the way in.
    expect(first.hubs.length).toBeGreaterThan(4);
    expect(first.simulator.nodes.every(({ node }) => node.damage.size > 0)).toBe(true);
  });

  test("a fault of one node changes nothing on another's line", async () => {
    const of = (trace: readonly string[]) => trace.filter((line) => line.includes("02-50-4C-52-00-00"));
    const one = await tenMinutes(7);
    const other = await startHome(ROUGH.replace("drop 0.05", "drop 0.2"), 7);
    await other.live(600);
    expect(of(other.trace)).toEqual(of(one.trace));
  });
});

test("what the hub says does not change which of the node's frames are damaged", async () => {
  const halfMinute = async (acks: number) => {
    const { clock, hubs, trace } = await startHome(light("[corrupt 0.5]").replace("lively: true", "lively: false"));
    for (let second = 0; second < 30; second++) {
      for (let seq = 0; seq < acks; seq++) await hubs[0]?.say({ type: "ACK", seq });
      await clock.advance(1000);
    }
    return trace.filter((line) => line.includes(" node "));
  };
  expect(await halfMinute(3)).toEqual(await halfMinute(0));
});

describe("a fault that is given live", () => {
  test("garbage is on the line before the board's first HELLO, at every boot", async () => {
    const { simulator, trace } = await startHome(light("[garbage 30]"));
    const [first = "", second = ""] = trace;
    expect([first.split(" ").at(-1)?.length, second.split(" ").at(-1)?.slice(0, 6)]).toEqual([60, "c08301"]);
    const before = trace.length;
    await obey(simulator, "reboot light");
    await settle();
    expect(trace.slice(before).map((line) => line.split(" ").at(-1)?.length === 60)).toEqual([true, false]);
  });

  test("a brown-out silences the line for its time, and then it is another boot", async () => {
    const { clock, simulator, hubs } = await startHome(light());
    const boots = () => hubs[0]?.all("HELLO").map(({ info }) => info.boot) ?? [];
    const before = boots();
    await obey(simulator, "brownout light 5000");
    await clock.advance(4900);
    expect(boots()).toEqual(before);
    await clock.advance(200);
    expect(boots().length).toBeGreaterThan(before.length);
    expect(before).not.toContain(boots().at(-1));
  });

  test("a board whose clock is twice as fast sends HELLO twice as often", async () => {
    const { clock, simulator, hubs } = await startHome(light());
    await obey(simulator, "fault light drift 2");
    await clock.advance(10_000);
    expect(hubs[0]?.all("HELLO").length).toBeGreaterThan(19);
  });

  test("none heals the board, the line and the device", async () => {
    const { simulator } = await startHome(light("[drop 1, drift 2, brownout 5, unplug 5]"));
    await obey(simulator, `fault ${LIGHT} slow 20`);
    await obey(simulator, "fault light none");
    const [{ board, node } = expect.fail("there is a node")] = simulator.nodes;
    expect([board.faults, node.device(LIGHT).fault]).toEqual([{}, { mode: "none" }]);
  });

  test("what is stuck answers with the value that it has, for any caller", async () => {
    const { live, simulator, hubs } = await startHome(light().replace("lively: true", "fault: stuck"));
    await live(1);
    await obey(simulator, `set ${LIGHT} Switch.on true`);
    const address = { device: 0, service: "Switch", index: 0, property: "on" };
    expect(await hubs[0]?.say({ type: "WRITE", seq: 9, ...address, value: true })).toMatchObject([
      { type: "WRITTEN", value: false },
    ]);
  });
});

describe("the clock of devices' lives", () => {
  /** Each press once, however often its report was repeated. */
  const presses = (trace: readonly string[]) => {
    const event = Buffer.from("event").toString("hex");
    const reports = trace.map((line) => line.split(" ").at(-1) ?? "").filter((hex) => hex.startsWith("c08709"));
    return new Set(reports.filter((hex) => hex.includes(event))).size;
  };
  const button = `nodes: [{name: b, edgeId: ${LIGHT}, devices: [{edgeId: ${LIGHT}, kind: button, lively: true}]}]`;

  test.each([
    [10, 80, 130],
    [1, 5, 15],
    [0, 0, 0],
  ])(
    "at speed %i ten minutes have between %i and %i presses of a person who presses every minute",
    async (speed, least, most) => {
      const { live, trace } = await startHome(button, 1, speed);
      await live(600);
      expect(presses(trace)).toBeGreaterThanOrEqual(least);
      expect(presses(trace)).toBeLessThanOrEqual(most);
    },
  );

  test("stands still until a step is requested, while the protocol goes on", async () => {
    const { live, simulator, trace } = await startHome(button, 1, 0);
    await live(60);
    expect(presses(trace)).toBe(0);
    await obey(simulator, "step 120");
    await live(2);
    expect(presses(trace)).toBeGreaterThan(0);
  });
});
