/** A network as it lives: what is confirmed, what sleeps, what comes and goes, and what the server only expects. */
import { attemptOf } from "@porchlight/driver-kit";
import { formatTime } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { CAPTURED_NODES, capturedNode, valueJson } from "./captured-nodes.fixture.ts";
import { written, ZwaveHome, zwaveEdgeId } from "./zwave-home.fixture.ts";
import { plug } from "./zwave-world.fixture.ts";

const CURRENT = { commandClass: 37, endpoint: 0, property: "currentValue" };
const LEVEL = { commandClass: 38, endpoint: 0, property: "currentValue" };
const CELSIUS = { commandClass: 49, endpoint: 0, property: "Air temperature" };
const SCENE = { commandClass: 91, endpoint: 0, property: "scene", propertyKey: "001" };
const DIMMER = "switch_enbrighten_zw3010";

async function homeWith(...nodes: readonly Parameters<ZwaveHome["zwave"]["add"]>[0][]): Promise<ZwaveHome> {
  const home = new ZwaveHome();
  for (const node of nodes) home.zwave.add(node);
  await home.start();
  // Its first reads are over.
  await home.pass(10_000);
  return home;
}

describe("a write", () => {
  test("is confirmed by the device's own word: it is not asked", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.supervised.add(2);
    const polls = home.zwave.polled.get(2);
    expect(await home.write(2, "Switch:0.on", true)).toEqual({ kind: "value", value: true });
    expect(home.zwave.polled.get(2)).toBe(polls);
    expect(home.reports).toEqual([]);
  });

  test("of a device that does not confirm is confirmed by asking it, and not by what the server expects", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.idles = true;
    const result = await home.write(2, "Switch:0.on", true);
    expect(result).toMatchObject({
      kind: "failed",
      outcome: "unknown",
      detail: expect.stringContaining("has not said"),
    });
    expect(home.reports).toEqual([]);
    home.zwave.idles = false;
    expect(await home.write(2, "Switch:0.on", true)).toEqual({ kind: "value", value: true });
  });

  test("of a slow device is confirmed when it is there", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.delayMs = 900;
    expect(await home.write(2, "Switch:0.on", true)).toEqual({ kind: "value", value: true });
  });

  test("that the device refuses is rejected, with its words", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.refuses = true;
    const result = await home.write(2, "Switch:0.on", true);
    expect(result).toMatchObject({ outcome: "rejected", code: 2, detail: "The device has refused the command." });
  });

  test("to a node that the server has just lost is rejected: nothing was sent", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.nodes.delete(2);
    expect(await home.write(2, "Switch:0.on", true)).toMatchObject({ outcome: "rejected" });
  });

  test("of one property has the others that it changes asked for", async () => {
    await using home = await homeWith(capturedNode(DIMMER, 4));
    expect(await home.write(4, "LightLevel:0.level", 40)).toEqual({ kind: "value", value: 40 });
    await home.pass(1000);
    expect(home.reports).toEqual(["Switch:0.on true"]);
    expect(await home.write(4, "Switch:0.on", false)).toEqual({ kind: "value", value: false });
    await home.pass(1000);
    expect(home.reports).toEqual(["Switch:0.on true", "LightLevel:0.level 0"]);
  });

  test("of a shutter's target is confirmed when the shutter has begun to move; its position follows", async () => {
    await using home = await homeWith(capturedNode("shelly_eu_wave_shutter", 9));
    home.zwave.slow.add(9);
    expect(await home.write(9, "Cover:1.target", 60)).toEqual({ kind: "value", value: 60 });
    await home.pass(25_000);
    expect(home.reports).toEqual(["Cover:1.position 60"]);
  });

  test("of a lamp that has only begun is confirmed when the lamp is there", async () => {
    await using home = await homeWith(capturedNode(DIMMER, 4));
    home.zwave.slow.add(4);
    expect(await home.write(4, "LightLevel:0.level", 60, 5000)).toMatchObject({ outcome: "unknown" });
    expect(await home.write(4, "LightLevel:0.level", 60, 30_000)).toEqual({ kind: "value", value: 60 });
  });

  test("of a lock is what the lock reports", async () => {
    const home = new ZwaveHome();
    await using _ = home;
    home.zwave.add(capturedNode("idl_101_lock", 5));
    await home.start({ admit: { all: false, edgeIds: new Set([zwaveEdgeId(5)]) } });
    await home.pass(10_000);
    expect(await home.write(5, "Lock:0.locked", false)).toEqual({ kind: "value", value: false });
    expect(home.zwave.actual(5, { commandClass: 98, endpoint: 0, property: "currentMode" })).toBe(0);
  });
});

describe("what the server reports", () => {
  test("of something that can be set is reported after the device was asked", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.change(2, CURRENT, true);
    await home.pass(100);
    expect(home.reports).toEqual(["Switch:0.on true"]);
  });

  test("because another program has set it, and the device has not done it, is not reported", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.updated(2, CURRENT, true);
    await home.pass(1000);
    expect(home.reports).toEqual([]);
    expect(await home.read(2, "Switch:0.on")).toEqual({ kind: "value", value: false });
  });

  test("and cannot be asked for is raised as not known", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.silent.add(2);
    home.zwave.updated(2, CURRENT, true);
    await home.pass(11_000);
    expect(home.host.story).toContain("unread Switch.on");
    expect(home.reports).toEqual([]);
  });

  test("of a sensor is reported within 0.1 s, and NaN ends the value", async () => {
    await using home = await homeWith(plug(2));
    const polls = home.zwave.polled.get(2);
    for (const value of [21.5, null, 22]) {
      home.zwave.change(2, CELSIUS, value);
      await home.pass(100);
    }
    expect(home.reports).toEqual([
      ...["Temperature:0.celsius 21.5", "Temperature:0.celsius null", "Temperature:0.celsius 22"],
    ]);
    expect(home.zwave.polled.get(2)).toBe(polls);
  });

  test("of a button is reported each time, and once while it is held", async () => {
    await using home = await homeWith(plug(2));
    const press = (value: number) =>
      home.zwave.event({ source: "node", event: "value notification", nodeId: 2, args: { ...SCENE, value } });
    for (const value of [0, 0, 2, 2, 2, 1, 3, 4]) press(value);
    await home.pass(100);
    const reported = ["press", "press", "long", "release", "double"].map((word) => `Button:1.event "${word}"`);
    expect(home.reports).toEqual(reported);
  });

  test("as a notification that is no state is reported in its words", async () => {
    const home = new ZwaveHome();
    await using _ = home;
    home.zwave.add(capturedNode("lock_schlage_be469", 5));
    await home.start({ admit: { all: false, edgeIds: new Set([zwaveEdgeId(5)]) } });
    const notify = (args: object) =>
      home.zwave.event({ source: "node", event: "notification", nodeId: 5, endpointIndex: 0, ccId: 113, args });
    notify({ type: 6, event: 6, label: "Access Control", eventLabel: "Keypad unlock operation" });
    // A state of the lock, which its value reports.
    notify({ type: 6, event: 11, label: "Access Control", eventLabel: "Lock jammed" });
    await home.pass(100);
    expect(home.reports).toEqual(['Notifications:0.event "Keypad unlock operation"']);
  });
});

describe("a device that sleeps", () => {
  const sleeper = () => ({ ...plug(2), status: 1, isListening: false });

  test("is online, is not touched, and reports as before", async () => {
    await using home = await homeWith(sleeper());
    expect(home.driver.has(zwaveEdgeId(2))).toBe(true);
    const asleep = { outcome: "not_applied", detail: expect.stringContaining("asleep") };
    expect(await home.write(2, "Switch:0.on", true)).toMatchObject(asleep);
    expect(await home.read(2, "Temperature:0.celsius")).toMatchObject(asleep);
    expect([home.zwave.touched.get(2), home.zwave.polled.get(2)]).toEqual([undefined, undefined]);
    home.zwave.change(2, CELSIUS, 19);
    await home.pass(100);
    expect(home.reports).toEqual(["Temperature:0.celsius 19"]);
  });

  test("is set when it wakes, if that is before the deadline", async () => {
    await using home = await homeWith(sleeper());
    const attempt = attemptOf(home.clock, { deadline: home.clock.monotonic() + 30_000, mayTouch: () => true });
    const on = { service: "Switch", index: "0", property: "on" };
    const set = home.driver.write(zwaveEdgeId(2), on, true, attempt);
    await home.pass(20_000);
    expect(home.zwave.touched.get(2)).toBeUndefined();
    home.zwave.state(2, { status: 2 }, "wake up");
    expect(await home.clock.until(set, 60_000)).toEqual({ kind: "value", value: true });
  });

  test("can be set while it is awake", async () => {
    await using home = await homeWith(sleeper());
    home.zwave.state(2, { status: 2 }, "wake up");
    expect(await home.write(2, "Switch:0.on", true)).toEqual({ kind: "value", value: true });
    home.zwave.state(2, { status: 1 }, "sleep");
    expect(await home.write(2, "Switch:0.on", false)).toMatchObject({ outcome: "not_applied" });
  });
});

describe("what the server remembers", () => {
  test("is of unknown age until the device was asked", async () => {
    await using home = new ZwaveHome();
    home.zwave.add(plug(2));
    await home.start();
    const [first] = home.host.learnings.filter(({ service }) => service === "Switch");
    expect(first).toMatchObject({ value: false, isRetained: true });
    await home.pass(10_000);
    const last = home.host.learnings.filter(({ service }) => service === "Switch").at(-1);
    expect(last).toMatchObject({ value: false });
    expect(last?.isRetained).toBeUndefined();
  });

  test("is news after the connection was lost, where it has changed meanwhile", async () => {
    await using home = await homeWith({ ...plug(2), status: 1 });
    home.way.cut();
    home.zwave.change(2, CELSIUS, 25);
    home.way.mend();
    const before = home.host.learnings.length;
    await home.pass(10_000);
    const news = home.host.learnings.slice(before).filter(({ isRetained }) => !isRetained);
    expect(news.map(written)).toEqual(["Temperature:0.celsius 25"]);
  });
});

describe("what a device that sleeps has reported", () => {
  const CONTACT = { commandClass: 48, endpoint: 0, property: "Any" };
  const lastSeen = (home: ZwaveHome) => ({ lastSeen: formatTime(home.clock.now()).replace(" ", "T") });

  test("while the agent was not running is reported when it runs again, and what it has not reported stays of unknown age", async () => {
    await using home = await homeWith(capturedNode("ha ecolink_door_sensor", 8));
    await home[Symbol.asyncDispose]();
    await home.pass(60_000);
    home.zwave.change(8, CONTACT, true);
    home.zwave.state(8, lastSeen(home));
    await home.pass(60_000);
    const before = home.host.learnings.length;
    await home.start();
    const news = home.host.learnings.slice(before).filter(({ isRetained }) => !isRetained);
    expect(news.map(written)).toEqual(["Readings:0.triggered true"]);
  });

  test("before the agent ended is not reported as news", async () => {
    await using home = await homeWith(capturedNode("ha ecolink_door_sensor", 8));
    home.zwave.change(8, CONTACT, true);
    home.zwave.state(8, lastSeen(home));
    await home.pass(1000);
    await home[Symbol.asyncDispose]();
    const before = home.host.learnings.length;
    await home.start();
    expect(home.host.learnings.slice(before).filter(({ isRetained }) => !isRetained)).toEqual([]);
  });
});

describe("the network", () => {
  test("is asked for the newest schema that both know", async () => {
    for (const [newest, agreed] of [
      [60, 50],
      [41, 41],
      [32, 32],
    ] as const) {
      await using home = new ZwaveHome();
      home.zwave.versions = { ...home.zwave.versions, maxSchemaVersion: newest };
      await home.start();
      expect([home.zwave.schema, home.driver.problem()]).toEqual([agreed, undefined]);
    }
  });

  test("gives all captured nodes, and locks, valves, sirens and garage doors only one by one", async () => {
    const home = new ZwaveHome();
    await using _ = home;
    let nodeId = 1;
    for (const name of CAPTURED_NODES.keys()) home.zwave.add(capturedNode(name, ++nodeId));
    await home.start();
    const waiting = home.driver.found();
    expect(new Set(waiting.map(({ admission }) => admission))).toEqual(new Set(["awaiting_admission"]));
    expect(waiting.map(({ about }) => about.name)).toEqual([
      ...["Z-Wave Lock", "Touchscreen Deadbolt", "U-Bolt Pro Z-Wave Smart Lock", "Z-Wave node 14"],
      ...["Aeon Labs Garage Door Controller Gen5", "Titan Water Valve Actuator"],
      ...["Siren and Strobe Alarm", "Siren Alarm"],
    ]);
    expect(home.host.arrivals).toHaveLength(CAPTURED_NODES.size - waiting.length);
  });

  test("brings a node that is added when its interview is complete, and lets one go that is removed", async () => {
    await using home = await homeWith(plug(2));
    const added = { ...plug(3), ready: false, values: [], status: 0 };
    home.zwave.add(added);
    home.zwave.event({ source: "controller", event: "node added", node: added });
    expect([home.driver.has(zwaveEdgeId(3)), home.driver.found()]).toEqual([false, []]);
    home.zwave.add(plug(3));
    home.zwave.state(3, {}, "ready");
    await home.pass(100);
    expect(home.driver.has(zwaveEdgeId(3))).toBe(true);
    home.zwave.event({ source: "controller", event: "node removed", node: added, reason: 0 });
    expect(home.driver.has(zwaveEdgeId(3))).toBe(false);
    expect(home.driver.status().nodes).toBe(1);
  });

  test("gives a replaced node its edgeId, and what it now is", async () => {
    await using home = await homeWith(plug(2));
    home.zwave.event({ source: "controller", event: "node removed", node: plug(2), reason: 4 });
    expect(home.driver.has(zwaveEdgeId(2))).toBe(false);
    const other = capturedNode(DIMMER, 2);
    home.zwave.add(other);
    home.zwave.event({ source: "controller", event: "node added", node: { ...other, ready: false, values: [] } });
    home.zwave.state(2, {}, "ready");
    expect(home.driver.has(zwaveEdgeId(2))).toBe(true);
    expect(home.host.arrivals.at(-1)?.description.map(({ service }) => service)).toContain("LightLevel");
  });

  const product = (productId: number) => ({ manufacturerId: 0x86, productType: 3, productId });
  const other = (nodeId: number) => ({ ...capturedNode(DIMMER, nodeId), ...product(200) });

  test("gives another product under the number of a node that has gone an edgeId of its own, also found at the start", async () => {
    const home = await homeWith({ ...plug(2), ...product(75) });
    await using _ = home;
    const edgeId = zwaveEdgeId(2);
    home.zwave.event({ source: "controller", event: "node removed", node: plug(2), reason: 0 });
    home.zwave.add(other(2));
    home.zwave.event({ source: "controller", event: "node added", node: { ...plug(2), ready: false, values: [] } });
    home.zwave.state(2, {}, "ready");
    await home.pass(100);
    expect([home.driver.has(edgeId), home.driver.status().nodes]).toEqual([false, 1]);
    const arrived = home.host.arrivals.at(-1);
    expect(arrived?.edgeId).not.toBe(edgeId);
    await using again = new ZwaveHome(home.store);
    again.zwave.add(other(2));
    await again.start();
    expect([...again.host.live]).toEqual([arrived?.edgeId]);
    await using back = new ZwaveHome(home.store);
    back.zwave.add({ ...plug(2), ...product(75) });
    await back.start();
    expect([...back.host.live]).toEqual([edgeId]);
  });

  test("gives another product that a person puts in the place of a node its edgeId", async () => {
    await using home = await homeWith({ ...plug(2), ...product(75) });
    home.zwave.event({ source: "controller", event: "node removed", node: plug(2), reason: 3 });
    home.zwave.add(other(2));
    home.zwave.event({ source: "controller", event: "node added", node: { ...plug(2), ready: false, values: [] } });
    home.zwave.state(2, {}, "ready");
    await home.pass(100);
    expect(home.driver.has(zwaveEdgeId(2))).toBe(true);
    await using again = new ZwaveHome(home.store);
    again.zwave.add(other(2));
    await again.start();
    expect([...again.host.live]).toEqual([zwaveEdgeId(2)]);
  });

  test("describes a node anew when its values change, once for many changes", async () => {
    await using home = await homeWith(plug(2));
    const volts = { commandClass: 49, endpoint: 0, property: "Voltage" };
    const metadata = { type: "number", readable: true, unit: "V", ccSpecific: { sensorType: 15, scale: 0 } };
    for (const event of ["metadata updated", "metadata updated"])
      home.zwave.event({ source: "node", event, nodeId: 2, args: { ...volts, metadata } });
    home.zwave.event({ source: "node", event: "value added", nodeId: 2, args: { ...volts, newValue: 231 } });
    await home.pass(1000);
    expect(home.host.story.filter((line) => line === `described ${zwaveEdgeId(2)}`)).toHaveLength(1);
    home.zwave.event({ source: "node", event: "value updated", nodeId: 2, args: { ...volts, newValue: 232 } });
    await home.pass(100);
    expect(home.reports.at(-1)).toBe("Electricity:0.volts 232");
  });

  test("of another home ID has other devices, and keeps the edgeIds of the first", async () => {
    await using home = await homeWith(plug(2));
    expect(home.driver.has(zwaveEdgeId(2))).toBe(true);
    home.zwave.homeId = 0xabcdef01;
    home.zwave.event({ source: "driver", event: "driver ready" });
    await home.pass(5000);
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.has(zwaveEdgeId(2, 0xabcdef01))]).toEqual([false, true]);
    home.zwave.homeId = 0xc0ffee01;
    home.zwave.closeAll();
    await home.pass(5000);
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.has(zwaveEdgeId(2, 0xabcdef01))]).toEqual([true, false]);
  });

  test("is left to another hub of the home that has its devices, until that lets them go", async () => {
    const home = new ZwaveHome();
    await using _ = home;
    home.zwave.add(plug(2));
    home.zwave.add(plug(3));
    let claimed = [zwaveEdgeId(2)];
    await home.start({ askClaims: async (edgeIds) => edgeIds.filter((edgeId) => claimed.includes(edgeId)) });
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.has(zwaveEdgeId(3))]).toEqual([false, true]);
    home.driver.yield([zwaveEdgeId(3)]);
    expect(home.driver.has(zwaveEdgeId(3))).toBe(false);
    claimed = [];
    await home.pass(120_000);
    expect([home.driver.has(zwaveEdgeId(2)), home.driver.has(zwaveEdgeId(3))]).toEqual([true, true]);
  });

  test("is tried with growing waits while it comes and goes, and has its devices once each time", async () => {
    await using home = await homeWith(plug(2));
    const before = home.way.tries;
    for (let times = 0; times < 20; times++) {
      home.zwave.closeAll();
      await home.pass(3000);
    }
    expect(home.way.tries - before).toBeLessThanOrEqual(21);
    await home.pass(60_000);
    expect([home.driver.has(zwaveEdgeId(2)), home.zwave.clients]).toEqual([true, 1]);
  });

  test("keeps its first edgeId, also when it would now be another", async () => {
    const home = new ZwaveHome();
    await using _ = home;
    const kept = "02-00-00-00-00-00-00-07";
    await home.store.set("identity c0ffee01 2", Buffer.from(kept));
    home.zwave.add(plug(2));
    await home.start();
    expect(home.driver.has(kept)).toBe(true);
  });

  test("has a node whose values make no sense, without them", async () => {
    const home = new ZwaveHome();
    await using _ = home;
    home.zwave.add(plug(2));
    const bad = [valueJson([37, -1, "x", null, "?", "", {}])];
    home.zwave.nodes.set(2, { ...plug(2), values: [...plug(2).values, ...bad] });
    await home.start();
    expect(home.driver.has(zwaveEdgeId(2))).toBe(true);
    expect(home.driver.status().ignored).toEqual({ badValue: 1 });
  });

  test("reports a dimmer's level in steps of the device", async () => {
    await using home = await homeWith(capturedNode(DIMMER, 4));
    home.zwave.change(4, LEVEL, 99);
    await home.pass(100);
    expect(home.reports).toEqual(["Switch:0.on true", "LightLevel:0.level 100"]);
  });
});

describe("a read", () => {
  test("of a report beside another value is the reported one, though the server sends it later", async () => {
    await using home = await homeWith(capturedNode("ring_keypad", 6));
    const low = { commandClass: 128, endpoint: 0, property: "isLow" };
    home.zwave.later(6, low, true);
    expect(await home.read(6, "Battery:0.low")).toEqual({ kind: "value", value: true });
  });

  test("of what the device cannot be asked for is rejected", async () => {
    await using home = await homeWith(plug(2));
    expect(await home.read(2, "Button:1.event")).toMatchObject({ outcome: "rejected" });
  });
});
