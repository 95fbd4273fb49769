import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { Trial } from "@porchlight/driver-kit/judge/trial.suite.ts";
import type { Stage } from "@porchlight/driver-kit/judge/world.suite.ts";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { describe, expect, it } from "vitest";
import { BRIDGE_ID, capturedResources } from "./bridge-capture.fixture.ts";
import { HueDriver } from "./hue-driver.ts";
import { hueWorld, paired } from "./hue-world.fixture.ts";
import { MemoryBridge } from "./memory-bridge.fixture.ts";

everyDriver("the lamps of a Hue bridge", hueWorld);

const CEILING = "00-17-88-01-06-AA-BB-58";
const FLOOR = "00-17-88-01-09-AA-BB-65";
const BLOOM = "00-17-88-AA-BB-1E-CC-B2";
const DIMMER = "00-17-88-01-08-AA-CC-60";
const address = (service: string, property: string, index = "0"): PropertyAddress => ({ service, index, property });
const ON = address("Switch", "on");

/** A hub at the captured bridge. */
async function atBridge(change: (bridge: MemoryBridge) => void = () => undefined) {
  let bridge: MemoryBridge | undefined;
  const one = await Trial.begin(
    (stage: Stage) => {
      bridge = new MemoryBridge(stage.fakeClock, capturedResources());
      change(bridge);
      const world = hueWorld(stage);
      const { clock, random, log } = stage;
      const open = bridge.open;
      return {
        ...world,
        device: CEILING,
        make: (host) =>
          HueDriver.start({
            ...{ clock, random, log, host, bridges: [], admit: { all: true, edgeIds: new Set() } },
            ...{ store: paired(BRIDGE_ID), open: () => open },
            pairing: {
              facts: () => Promise.reject(new Error("away")),
              askKey: () => Promise.reject(new Error("away")),
            },
          }),
      };
    },
    { waits: false },
  );
  await one.clock.advance(1000);
  const write = (device: string, at: PropertyAddress, value: Value, ms = 10_000) =>
    one.driver.write(device, at, value, one.attempt(ms));
  if (!bridge) throw new Error("The bridge was not made.");
  return { one, bridge, write, [Symbol.asyncDispose]: () => one[Symbol.asyncDispose]() };
}

describe("a hub at a Hue bridge", () => {
  it("has what the bridge reaches, and hears when that changes", async () => {
    await using at = await atBridge();
    expect(at.one.host.live.size).toBe(13);
    expect(at.one.driver.has(BLOOM)).toBe(false);
    at.bridge.change("zc-bloom", { status: "connected" });
    at.bridge.change("zc-floor", { status: "connectivity_issue" });
    await at.one.clock.advance(100);
    expect([at.one.driver.has(BLOOM), at.one.driver.has(FLOOR)]).toEqual([true, false]);
  });

  it("reports every press of a button, and no repeat of it", async () => {
    await using at = await atBridge();
    for (const event of ["initial_press", "repeat", "repeat", "long_release", "initial_press", "short_release"])
      at.bridge.change("btn-dimmer-2", { button: { button_report: { event, updated: "2026-11-25T10:00:00Z" } } });
    await at.one.clock.advance(1000);
    const events = at.one.host.reports.filter(({ report }) => report.device === DIMMER && report.service === "Button");
    expect(events.map(({ report }) => `${report.index} ${report.value}`)).toEqual([
      ...["2 press", "2 release", "2 press", "2 release"],
    ]);
  });

  it("does not take the bridge's word for a lamp that it has just lost", async () => {
    await using at = await atBridge();
    at.bridge.silent.add("light-ceiling");
    const write = at.write(CEILING, ON, true);
    await at.one.clock.advance(500);
    at.bridge.change("zc-ceiling", { status: "connectivity_issue" });
    at.bridge.change("light-ceiling", { on: { on: true } });
    expect(await at.one.settled(write)).toMatchObject({ kind: "failed", outcome: "unknown" });
  });

  it("reports the bridge's reason", async () => {
    await using at = await atBridge((bridge) => {
      bridge.refuses = true;
    });
    expect(await at.one.settled(at.write(CEILING, ON, true))).toMatchObject({
      ...{ outcome: "rejected", detail: "invalid value", code: 400 },
    });
  });

  it("sends the newest of a drag, and reports of the others that they were not sent", async () => {
    await using at = await atBridge();
    const levels = [10, 20, 30, 40, 50].map((level) => at.write(CEILING, address("LightLevel", "level"), level));
    const results = await at.one.settled(Promise.all(levels));
    expect(results.map((result) => (result.kind === "value" ? result.value : result.outcome))).toEqual([
      ...[10, "not_applied", "not_applied", "not_applied", 50],
    ]);
    expect(at.bridge.touched.get("light-ceiling")).toBe(2);
  });

  it("waits for a bridge that is asked too much, and asks again", async () => {
    await using at = await atBridge();
    at.bridge.status = 429;
    const write = at.write(CEILING, ON, true);
    await at.one.clock.advance(3000);
    at.bridge.status = 200;
    expect(await at.one.settled(write)).toEqual({ kind: "value", value: true });
  });

  it("shows a scene of a room, and knows when it is shown", async () => {
    await using at = await atBridge();
    const room = at.one.host.arrivals.find(({ about }) => about.name === "Bathroom")?.edgeId ?? "";
    const write = at.write(room, address("Scenes", "show"), "Bright");
    await at.one.clock.advance(500);
    at.bridge.change("scene-bright", { status: { active: "static" } });
    expect(await at.one.settled(write)).toEqual({ kind: "value", value: "Bright" });
  });

  it("gets all changes from the time without a connection", async () => {
    await using at = await atBridge();
    at.bridge.cut();
    await at.one.clock.advance(10);
    const light = at.bridge.resources.get("light-ceiling");
    if (light) at.bridge.resources.set("light-ceiling", { ...light, on: { on: true } });
    at.bridge.mend();
    await at.one.clock.advance(60_000);
    expect(
      at.one.host.learnings.filter(({ device, service }) => device === CEILING && service === "Switch"),
    ).toMatchObject([...[{ value: false }, { value: true }]]);
  });

  it("leaves what is behind a bridge that has lost its power within 45 seconds", async () => {
    await using at = await atBridge();
    at.bridge.hangs = true;
    await at.one.clock.advance(45_000);
    expect(at.one.driver.has(CEILING)).toBe(false);
    expect(at.one.driver.problem?.()).toContain("it has not answered in time");
  });

  it("reports of a bridge that no longer knows its key that it must be paired again, and does not press it", async () => {
    await using at = await atBridge((bridge) => {
      bridge.status = 403;
    });
    await at.one.clock.advance(600_000);
    expect(at.one.driver.problem?.()).toContain("Pair it again");
    expect(at.bridge.tries).toBeLessThan(14);
  });

  it("has no device with two descriptions, and none that is described otherwise for nothing", async () => {
    await using at = await atBridge();
    at.bridge.say([{ type: "update", data: [{ id: "scene-bright", type: "scene", status: { active: "static" } }] }]);
    await at.one.clock.advance(100);
    expect(at.one.host.story.filter((line) => line.startsWith("described"))).toEqual([]);
    at.bridge.say([{ type: "update", data: [{ id: "dev-ceiling", type: "device", metadata: { name: "Sun" } }] }]);
    await at.one.clock.advance(100);
    expect(at.one.host.story.filter((line) => line.startsWith("described"))).toEqual([`described ${CEILING}`]);
  });
});
