/** Dead or steady, newer or older: what is reported when a device repeats itself, falls silent, loses values, or is asked while it changes. */
import { attemptOf } from "@porchlight/driver-kit";
import { addressIn } from "@porchlight/driver-kit/contract/address-in.fixture.ts";
import { formatTime } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { type NodeJson, type ValueJson, valueJson } from "./captured-nodes.fixture.ts";
import { ZwaveHome, zwaveEdgeId } from "./zwave-home.fixture.ts";
import { plug } from "./zwave-world.fixture.ts";

const CURRENT = { commandClass: 37, endpoint: 0, property: "currentValue" };
const LEVEL = { commandClass: 38, endpoint: 0, property: "currentValue" };
const CELSIUS = { commandClass: 49, endpoint: 0, property: "Air temperature" };
const DOOR = { commandClass: 113, endpoint: 0, property: "Access Control", propertyKey: "Door state" };
const HOUR_MS = 3_600_000;

async function homeWith(...nodes: readonly NodeJson[]): Promise<ZwaveHome> {
  const home = new ZwaveHome();
  for (const node of nodes) home.zwave.add(node);
  await home.start();
  // Its first reads are over.
  await home.pass(10_000);
  return home;
}

const values = (...rows: readonly Parameters<typeof valueJson>[0][]) => rows.map(valueJson);
const dimmer = (nodeId: number): NodeJson => ({
  ...plug(nodeId),
  deviceClass: { generic: { key: 17 }, specific: { key: 1 } },
  values: values(
    [38, 0, "currentValue", null, "number", "r", {}, 40],
    [38, 0, "targetValue", null, "number", "rw", {}, 40],
  ),
});
const door = (nodeId: number, wakeUpInterval: number | undefined, more: readonly ValueJson[] = []): NodeJson => ({
  ...plug(nodeId),
  ...{ status: 1, isListening: false },
  values: [
    ...values(
      [113, 0, "Access Control", "Door state", "number", "r", { ccSpecific: { notificationType: 6 } }, 23],
      [49, 0, "Air temperature", null, "number", "r", { unit: "°C", ccSpecific: { sensorType: 1, scale: 0 } }, 20],
      [132, 0, "wakeUpInterval", null, "number", "r", {}, wakeUpInterval],
    ),
    ...more,
  ],
});

describe("a value that feeds two properties", () => {
  test("leaves `retained` with both of them once the device was asked", async () => {
    await using home = await homeWith(dimmer(3));
    const live = home.host.learnings.filter(({ isRetained }) => !isRetained).map(({ service }) => service);
    expect(live.toSorted()).toEqual(["LightLevel", "Switch"]);
    expect(home.zwave.polled.get(3)).toBe(1);
  });

  test("leaves it with both of them when it is reported, though only one of them has changed", async () => {
    await using home = await homeWith({ ...dimmer(3), status: 1, isListening: false });
    expect(home.host.learnings.every(({ isRetained }) => isRetained)).toBe(true);
    home.zwave.change(3, LEVEL, 60);
    await home.pass(100);
    expect(home.reports.toSorted()).toEqual(["LightLevel:0.level 60", "Switch:0.on true"]);
  });

  test("gets both of them when one is refreshed", async () => {
    await using home = await homeWith(dimmer(3));
    home.zwave.set(3, LEVEL, 0);
    expect(await home.read(3, "LightLevel:0.level")).toEqual({ kind: "value", value: 0 });
    await home.pass(100);
    expect(home.host.valueOf(zwaveEdgeId(3), { service: "Switch", index: "0", property: "on" })).toBe(false);
  });
});

describe("an equal value", () => {
  test("that a sensor reports again is reported again", async () => {
    await using home = await homeWith(door(3, undefined));
    for (let times = 0; times < 3; times++) {
      home.zwave.change(3, DOOR, 22);
      home.zwave.change(3, CELSIUS, 21.5);
      await home.pass(9000);
    }
    expect(home.reports.filter((each) => each === "Contact:0.open true")).toHaveLength(3);
    expect(home.reports.filter((each) => each === "Temperature:0.celsius 21.5")).toHaveLength(3);
  });

  test("of something that can be set is reported again, and costs no question by radio", async () => {
    await using home = await homeWith(plug(2));
    const polls = home.zwave.polled.get(2);
    for (let times = 0; times < 3; times++) {
      home.zwave.updated(2, CURRENT, false);
      await home.pass(1000);
    }
    expect(home.reports).toEqual(Array.from({ length: 3 }, () => "Switch:0.on false"));
    expect(home.zwave.polled.get(2)).toBe(polls);
  });
});

describe("an answer that is overtaken", () => {
  test.for([
    ["a plug", plug(2), CURRENT, "Switch:0.on", true],
    ["a thermometer", plug(2), CELSIUS, "Temperature:0.celsius", 22],
  ] as const)("by a report of %s is not reported, and the newer value stays", async ([, node, id, key, newer]) => {
    await using home = await homeWith(node);
    home.zwave.samplesEarly = true;
    home.zwave.delayMs = 1000;
    const reading = home.read(2, key, 10_000);
    home.zwave.change(2, id, newer);
    expect(await reading).toEqual({ kind: "value", value: newer });
    await home.pass(60_000);
    const after = [...home.host.story].reverse().find((line) => line.includes(key.slice(key.indexOf(".") + 1)));
    expect(after).toContain(String(newer));
  });

  test("again and again is asked for four times at most, and is then unknown", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.delayMs = 500;
    home.zwave.samplesEarly = true;
    const before = home.zwave.polled.get(2) ?? 0;
    const attempt = attemptOf(home.clock, { deadline: home.clock.monotonic() + 30_000, mayTouch: () => true });
    const reading = home.driver.read(zwaveEdgeId(2), addressIn("Temperature:0.celsius"), attempt);
    for (let at = 0; at < 20; at++) {
      home.zwave.change(2, CELSIUS, at);
      await home.pass(200);
    }
    expect(await reading).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("again and again") });
    expect((home.zwave.polled.get(2) ?? 0) - before).toBe(4);
  });

  test("that never comes leaves what was reported meanwhile", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.silent.add(2);
    const attempt = attemptOf(home.clock, { deadline: home.clock.monotonic() + 5000, mayTouch: () => true });
    const reading = home.driver.read(zwaveEdgeId(2), addressIn("Temperature:0.celsius"), attempt);
    await home.pass(1000);
    home.zwave.change(2, CELSIUS, 25);
    expect(await home.clock.until(reading, 10_000)).toMatchObject({ kind: "failed" });
    await home.pass(1000);
    expect(home.reports).toEqual(["Temperature:0.celsius 25"]);
  });

  test("that says nothing, again and again beside an equal report, does not have the node asked for ever", async () => {
    await using home = await homeWith(plug(2));
    const before = home.zwave.polled.get(2) ?? 0;
    home.zwave.change(2, CURRENT, undefined);
    await home.pass(60_000);
    expect((home.zwave.polled.get(2) ?? 0) - before).toBe(1);
    expect(home.reports).toEqual(["Switch:0.on null"]);
  });

  test("by a hand while a write is under way is asked for after the write", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.supervised.add(2);
    home.zwave.delayMs = 500;
    const polls = home.zwave.polled.get(2) ?? 0;
    const attempt = attemptOf(home.clock, { deadline: home.clock.monotonic() + 10_000, mayTouch: () => true });
    const writing = home.driver.write(zwaveEdgeId(2), addressIn("Switch:0.on"), true, attempt);
    await home.pass(100);
    // The server reports the hand before it reports what it expects of the command.
    home.zwave.updated(2, CURRENT, false);
    expect(await home.clock.until(writing, 10_000)).toEqual({ kind: "value", value: true });
    // The hand was the later one.
    home.zwave.set(2, CURRENT, false);
    await home.pass(5000);
    expect(home.zwave.polled.get(2)).toBe(polls + 1);
    expect(home.reports).toEqual(["Switch:0.on false"]);
  });
});

describe("a device that sleeps", () => {
  test("has no values any more when it has missed its times to wake, and leaves", async () => {
    await using home = await homeWith(door(3, 3600));
    home.zwave.change(3, DOOR, 22);
    await home.pass(2 * HOUR_MS);
    expect([home.driver.has(zwaveEdgeId(3)), home.reports]).toEqual([true, ["Contact:0.open true"]]);
    await home.pass(HOUR_MS);
    expect(home.driver.has(zwaveEdgeId(3))).toBe(false);
    expect(home.reports.slice(1).toSorted()).toEqual(["Contact:0.open null", "Temperature:0.celsius null"]);
    expect(home.host.story.at(-1)).toBe(`left ${zwaveEdgeId(3)}`);
  });

  test("has the values of its next message, and none of before", async () => {
    await using home = await homeWith(door(3, 3600));
    home.zwave.change(3, DOOR, 22);
    await home.pass(4 * HOUR_MS);
    const before = home.host.story.length;
    home.zwave.change(3, CELSIUS, 18);
    await home.pass(1000);
    expect(home.driver.has(zwaveEdgeId(3))).toBe(true);
    const reported = home.host.story.slice(before).filter((line) => !line.startsWith("arrived"));
    expect(reported).toEqual(["learned Temperature.celsius 18"]);
    expect(home.host.learnings.at(-1)?.isRetained).toBeUndefined();
  });

  test("keeps its values while it wakes in time, and without an interval for good", async () => {
    await using home = await homeWith(door(3, 3600), door(4, undefined), door(5, 0));
    for (let hours = 0; hours < 12; hours++) {
      await home.pass(HOUR_MS);
      home.zwave.state(3, { status: 2, lastSeen: formatTime(home.clock.now()) }, "wake up");
      home.zwave.state(3, { status: 1 }, "sleep");
    }
    expect([3, 4, 5].map((node) => home.driver.has(zwaveEdgeId(node)))).toEqual([true, true, true]);
    expect(home.reports).toEqual([]);
  });
});

describe("a value that the server removes", () => {
  test("ends at once, is described no more, and is refused by name", async () => {
    await using home = await homeWith(plug(2));
    const removed = (id: object) =>
      home.zwave.event({ source: "node", event: "value removed", nodeId: 2, args: { ...id, prevValue: 20 } });
    removed(CELSIUS);
    await home.pass(110);
    expect(home.reports).toEqual(["Temperature:0.celsius null"]);
    removed(CURRENT);
    await home.pass(1000);
    expect(home.reports).toContain("Switch:0.on null");
    const services = home.host.descriptions.get(zwaveEdgeId(2))?.map(({ service }) => service);
    expect(services).toEqual(["Button", "Identify"]);
    for (const key of ["Switch:0.on", "Temperature:0.celsius"]) {
      const gone = { outcome: "rejected", detail: `The device does not describe ${key} any more.` };
      expect(await home.read(2, key)).toMatchObject(gone);
      expect(await home.write(2, key, true)).toMatchObject(gone);
    }
    expect(home.zwave.touched.get(2)).toBeUndefined();
  });

  test("has its old address when it is back, and is announced anew", async () => {
    await using home = await homeWith(plug(2));
    const [, , celsius] = plug(2).values;
    const before = home.host.learnings.length;
    home.zwave.event({ source: "node", event: "value removed", nodeId: 2, args: CELSIUS });
    await home.pass(1000);
    home.zwave.event({
      ...{ source: "node", event: "metadata updated", nodeId: 2 },
      args: { ...CELSIUS, metadata: celsius?.metadata },
    });
    home.zwave.event({ source: "node", event: "value added", nodeId: 2, args: { ...CELSIUS, newValue: 20 } });
    await home.pass(1000);
    expect(home.reports).toEqual(["Temperature:0.celsius null"]);
    expect(home.host.learnings).toHaveLength(before + 1);
    expect(home.host.learnings.at(-1)).toEqual({
      device: zwaveEdgeId(2),
      ...addressIn("Temperature:0.celsius"),
      value: 20,
    });
  });
});

describe("a firmware update", () => {
  const relay = (endpoint: number) =>
    values(
      [37, endpoint, "currentValue", null, "boolean", "r", {}, false],
      [37, endpoint, "targetValue", null, "boolean", "rw", {}, false],
    );
  const strip = (...endpoints: readonly number[]): NodeJson => ({ ...plug(7), values: endpoints.flatMap(relay) });

  test("that drops a relay and adds another leaves the neighbours' values and numbers", async () => {
    await using home = await homeWith(strip(1, 2));
    home.zwave.change(7, { ...CURRENT, endpoint: 2 }, true);
    await home.pass(1000);
    const before = home.reports.length;
    home.zwave.add({ ...strip(3, 2), values: [...relay(3), ...relay(2).map((each) => ({ ...each, value: true }))] });
    home.zwave.state(7, {}, "ready");
    await home.pass(2000);
    expect(home.reports.slice(before)).toEqual([]);
    const indexes = home.host.descriptions
      .get(zwaveEdgeId(7))
      ?.flatMap(({ service, index }) => (service === "Switch" ? index : []));
    expect(indexes).toEqual(["2", "3"]);
    expect(await home.write(7, "Switch:1.on", true)).toMatchObject({ outcome: "rejected" });
    expect(home.zwave.commands).toEqual([]);
    expect(await home.write(7, "Switch:2.on", false)).toEqual({ kind: "value", value: false });
    expect(home.zwave.commands.map(({ id }) => id.endpoint)).toEqual([2]);
  });

  test("with other values than before is reported each of them, also where the server knows one no more", async () => {
    await using home = await homeWith({ ...door(8, undefined), status: 1 });
    home.zwave.change(8, DOOR, 22);
    await home.pass(100);
    const fresh = door(8, undefined).values.map((each) => ({
      ...each,
      value: each.commandClass === 49 ? undefined : each.value,
    }));
    home.zwave.add({ ...door(8, undefined), values: fresh });
    home.zwave.state(8, {}, "ready");
    await home.pass(1000);
    const now = (service: string, property: string) =>
      home.host.valueOf(zwaveEdgeId(8), { service, index: "0", property });
    expect([now("Contact", "open"), now("Temperature", "celsius")]).toEqual([false, null]);
  });
});
