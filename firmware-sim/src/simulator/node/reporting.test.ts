import { settle } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { LIGHT, live, TEST_BUTTON } from "./test-node.fixture.ts";

type World = Awaited<ReturnType<typeof live>>;

/** The hub acknowledges everything that comes, for so long. */
async function acknowledgeFor({ clock, hub }: World, ms: number): Promise<void> {
  const done = new Set<number>();
  for (let passed = 0; passed < ms; passed += 10) {
    for (const { seq } of [...hub.all("REPORT"), ...hub.all("CHANGED")]) {
      if (!done.has(seq)) await hub.say({ type: "ACK", seq });
      done.add(seq);
    }
    await clock.advance(10);
  }
}

const values = ({ hub }: World) => hub.all("REPORT").map(({ value }) => value);

describe("a report", () => {
  test("is sent at once when a value changes at the device, and not when it stays the same", async () => {
    const { hub, node } = await live();
    node.device(LIGHT).turn("LightLevel.level", 41);
    node.device(LIGHT).turn("Switch.on", false);
    await settle();
    expect(hub.heard.map(({ message }) => message)).toMatchObject([
      { type: "REPORT", device: 0, service: "LightLevel", index: 0, property: "level", value: 41 },
    ]);
  });

  test("is sent every 500 ms with the same seq until ACK", async () => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).turn("Switch.on", true);
    await clock.advance(1600);
    expect(hub.times("REPORT")).toEqual([0, 500, 1000, 1500]);
    expect(new Set(hub.all("REPORT").map(({ seq }) => seq)).size).toBe(1);
    await hub.say({ type: "ACK", seq: hub.last("REPORT").seq });
    await clock.advance(2000);
    expect(hub.all("REPORT")).toHaveLength(4);
  });

  test.each([2, 3, 4, 5, 10, 99])("is settled by ERROR %i", async (code) => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).turn("Switch.on", true);
    await settle();
    await hub.say({ type: "ERROR", seq: hub.last("REPORT").seq, code, text: "" });
    await clock.advance(3000);
    expect([hub.all("REPORT").length, node.untold]).toEqual([1, 0]);
  });

  test("that meets ERROR 9 comes again in 500 ms with the same seq", async () => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).turn("Switch.on", true);
    await clock.advance(200);
    const { seq } = hub.last("REPORT");
    await hub.say({ type: "ERROR", seq, code: 9, text: "" });
    await clock.advance(499);
    expect(hub.all("REPORT")).toHaveLength(1);
    await clock.advance(1);
    expect([hub.times("REPORT"), hub.last("REPORT").seq]).toEqual([[0, 700], seq]);
  });

  test("is the only one unanswered: the rest wait in order", async () => {
    const world = await live();
    const { clock, hub, node } = world;
    node.device(LIGHT).turn("Switch.on", true);
    node.device(LIGHT).turn("LightLevel.level", 1);
    node.device(TEST_BUTTON).press("Button.event", "press");
    await clock.advance(400);
    expect(hub.all("REPORT").map(({ property }) => property)).toEqual(["on"]);
    await acknowledgeFor(world, 100);
    expect(hub.all("REPORT").map(({ property }) => property)).toEqual(["on", "level", "event"]);
  });
});

describe("a waiting report", () => {
  test("of a readable property is replaced by its newer value", async () => {
    const world = await live();
    world.node.device(TEST_BUTTON).press("Button.event", "press");
    for (const level of [1, 2, 3]) world.node.device(LIGHT).turn("LightLevel.level", level);
    await acknowledgeFor(world, 500);
    expect(values(world)).toEqual(["press", 3]);
  });

  test("of what can only notify is never replaced: four wait, the oldest gives way", async () => {
    const world = await live();
    world.node.device(LIGHT).turn("Switch.on", true);
    for (const event of ["press", "release", "double", "long", "press", "press"])
      world.node.device(TEST_BUTTON).press("Button.event", event);
    await acknowledgeFor(world, 3000);
    expect(values(world)).toEqual([true, "double", "long", "press", "press"]);
  });

  test("survives a lost hub, and what was unanswered keeps its seq", async () => {
    const world = await live();
    const { clock, hub, node } = world;
    node.device(LIGHT).turn("Switch.on", true);
    node.device(LIGHT).turn("LightLevel.level", 1);
    await clock.advance(8000);
    const { seq } = hub.last("REPORT");
    expect(node.state).toBe("greeting");
    hub.forget();
    await clock.advance(1000);
    expect(hub.all("REPORT")).toEqual([]);
    await hub.acknowledge();
    expect(hub.last("REPORT").seq).toBe(seq);
    await acknowledgeFor(world, 300);
    expect(values(world)).toEqual([true, 1]);
  });
});

describe("a report whose value changes after it was sent", () => {
  test("gets a new seq, and an ACK of the old one is ignored", async () => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).turn("LightLevel.level", 1);
    await settle();
    const old = hub.last("REPORT").seq;
    node.device(LIGHT).turn("LightLevel.level", 2);
    await hub.say({ type: "ACK", seq: old });
    await clock.advance(1000);
    expect(hub.last("REPORT")).toMatchObject({ value: 2, seq: (old + 1) & 0xffff });
    await hub.say({ type: "ACK", seq: old });
    expect(node.untold).toBe(1);
    await hub.say({ type: "ACK", seq: (old + 1) & 0xffff });
    expect(node.untold).toBe(0);
  });

  test("by an applied WRITE states the applied value", async () => {
    const { clock, hub, node } = await live();
    node.device(LIGHT).turn("LightLevel.level", 1);
    await settle();
    const old = hub.last("REPORT").seq;
    await hub.say({ type: "WRITE", seq: 1, device: 0, service: "LightLevel", index: 0, property: "level", value: 90 });
    await clock.advance(1000);
    expect(hub.last("REPORT")).toMatchObject({ value: 90 });
    expect(hub.last("REPORT").seq).not.toBe(old);
  });
});

describe("a property", () => {
  test("is reported at most four times a second, and its last value always", async () => {
    const world = await live();
    for (let level = 1; level <= 100; level++) {
      world.node.device(LIGHT).turn("LightLevel.level", level % 100);
      await acknowledgeFor(world, 10);
    }
    await acknowledgeFor(world, 500);
    const times = world.hub.times("REPORT");
    for (const [at, time] of times.entries()) expect(time - (times[at - 1] ?? -250)).toBeGreaterThanOrEqual(250);
    expect(times).toHaveLength(5);
    expect(values(world).at(-1)).toBe(0);
  });

  test("that only notifies is spaced alike, with every event", async () => {
    const world = await live();
    for (const event of ["press", "release", "press"]) world.node.device(TEST_BUTTON).press("Button.event", event);
    await acknowledgeFor(world, 1000);
    expect(values(world)).toEqual(["press", "release", "press"]);
    expect(world.hub.times("REPORT")).toEqual([0, 250, 500]);
  });
});

describe("devices that leave and come", () => {
  test("a place is left empty, and given back to its own device only", async () => {
    const world = await live();
    const { hub, node } = world;
    const [light, button] = [LIGHT, TEST_BUTTON];
    const newcomer = "02-50-4C-51-00-0A";
    node.remove(light);
    node.add({ edgeId: newcomer, services: [] });
    node.add({ edgeId: light, services: node.device(light).services });
    await acknowledgeFor(world, 100);
    expect(hub.all("CHANGED").map(({ devices }) => devices)).toEqual([
      [null, button],
      [null, button, newcomer],
      [light, button, newcomer],
    ]);
  });

  test("CHANGED is sent every 500 ms until ACK, and reports wait behind it", async () => {
    const { clock, hub, node } = await live();
    node.remove(TEST_BUTTON);
    node.device(LIGHT).turn("Switch.on", true);
    await clock.advance(1000);
    expect([hub.times("CHANGED"), hub.all("REPORT")]).toEqual([[0, 500, 1000], []]);
    await hub.say({ type: "ACK", seq: hub.last("CHANGED").seq });
    expect(hub.all("REPORT")).toHaveLength(1);
  });

  test("a device that has left is unknown and reports nothing", async () => {
    const world = await live();
    const { hub, node } = world;
    node.device(LIGHT).turn("Switch.on", true);
    await settle();
    node.remove(LIGHT);
    node.device(LIGHT).turn("Switch.on", false);
    const [answer] = await hub.say({ type: "READ", seq: 1, device: 0, service: "Switch", index: 0, property: "on" });
    expect(answer).toMatchObject({ type: "ERROR", code: 3 });
    await acknowledgeFor(world, 1000);
    expect(hub.all("REPORT")).toHaveLength(1);
  });
});
