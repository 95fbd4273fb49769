/** Scenes that the hub calls by itself: by a button, by the time, by the sun; once, and never late. */
import { parseTime } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { BUTTON, level, on, pending, pressed } from "../state/state.fixture.ts";
import { EVENING, HubWithScenes, PRESS } from "./hub-with-scenes.fixture.ts";

const HOUR = 3_600_000;
const BOTH = [
  ["lamp", "on", true],
  ["lamp", "level", 40],
];

describe("a button", () => {
  test("calls the scene that is bound to it, and the cloud hears of the values with the scene", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    await hub.report();
    expect(hub.written).toEqual(BOTH);
    await hub.clock.advance(100);
    const scene = { id: EVENING, by: "event" };
    expect(
      pending(hub.state)
        .filter((record) => record.kind === "value")
        .slice(-2),
    ).toMatchObject([
      { property: "on", value: true, cause: "local", scene },
      { property: "level", value: 40, cause: "local", scene },
    ]);
    expect(hub.triggers.status()).toMatchObject({ stored: 1, timed: 0, called: 1, refused: 0 });
  });

  test("calls it once for each press, however often the press is reported", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    expect([await hub.report(undefined, 100), await hub.report(undefined, 100)]).toEqual(["stored", "repeated"]);
    expect(hub.written).toHaveLength(2);
    await hub.report(undefined, 101);
    expect(hub.written).toHaveLength(4);
  });

  test("calls nothing for what is pressed otherwise, or elsewhere", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    await hub.report(pressed("long", BUTTON));
    await hub.report(pressed("press"));
    expect(hub.written).toEqual([]);
  });

  test("calls every scene that is bound to it, and each of them once", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{ triggers: [PRESS, PRESS] }, { id: "scn_2", writes: [level(7)] }]);
    await hub.report();
    expect(hub.written).toEqual([...BOTH, ["lamp", "level", 7]]);
  });

  test("calls the scene as it is by then, and none that is gone", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    await hub.tell([{ writes: [level(7)] }]);
    await hub.report();
    expect(hub.written).toEqual([["lamp", "level", 7]]);
    await hub.tell([]);
    await hub.report();
    expect(hub.written).toHaveLength(1);
  });

  test("calls scenes after the agent was killed, without the cloud, and none for a press of before", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    await hub.report(undefined, 100);
    await hub.crash();
    expect(await hub.report(undefined, 100)).toBe("repeated");
    expect(hub.written).toEqual([]);
    await hub.report(undefined, 101);
    expect(hub.written).toEqual(BOTH);
  });

  test("whose press has waited for the hub calls nothing: it may be of yesterday", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    hub.host.left(BUTTON);
    await hub.clock.advance(HOUR);
    hub.host.arrived({ ...hub.state.device(BUTTON), edgeId: BUTTON, description: [], about: {}, transport: "memory" });
    expect(await hub.report()).toBe("stored");
    expect(hub.written).toEqual([]);
  });

  test("that can be read calls nothing: the same value may come again and again", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{ triggers: [{ ...PRESS, ...on(true, BUTTON), value: "true" }] }]);
    await hub.report({ ...on("true", BUTTON) });
    expect(hub.written).toEqual([]);
  });
});

describe("a scene that the hub calls", () => {
  test("is left alone while another agent with the hub's identity is online", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{}]);
    hub.isSuperseded = true;
    await hub.report();
    expect([hub.written, hub.warnings]).toEqual([[], ["a scene was not called"]]);
    expect(hub.triggers.status()).toMatchObject({ called: 0, refused: 1 });
  });

  test("sends what its devices take, and says what it did not send", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{ writes: [{ ...on(true), value: "yes" }, on(true, "00-1B-44-11-3A-FF"), level(40)] }]);
    await hub.report();
    expect(hub.written).toEqual([["lamp", "level", 40]]);
    expect(hub.warnings).toEqual([
      "a write of a scene was not sent",
      "a scene was called, and not all of it was carried out",
    ]);
  });

  test("whose lamp is slow keeps no presses beyond a number, and holds up no other scene", async () => {
    using hub = await HubWithScenes.make();
    const other = { id: "scn_2", triggers: [{ ...PRESS, value: "long" }] };
    await hub.tell([{ writes: [level(40)] }, other]);
    hub.driver.hold();
    for (let press = 0; press < 20; press++) await hub.report();
    await hub.report(pressed("long", BUTTON));
    expect(hub.triggers.status()).toMatchObject({ called: 17, refused: 4 });
    hub.driver.release();
    await hub.clock.advance(1000);
    await hub.report();
    expect(hub.triggers.status()).toMatchObject({ called: 18, refused: 4 });
  });
});

describe("the time", () => {
  const SEVEN = { kind: "time", at: "07:00" } as const;

  test("calls a scene every day, with its name in what the cloud hears", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{ triggers: [SEVEN] }]);
    await hub.clock.advance(30 * HOUR + 100);
    expect(hub.written).toEqual([...BOTH, ...BOTH]);
    expect(pending(hub.state).at(-1)).toMatchObject({ scene: { id: EVENING, by: "time" } });
  });

  test("calls it once, also when the agent is restarted and the clock is set back", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{ triggers: [SEVEN] }]);
    await hub.clock.advance(7 * HOUR);
    expect(hub.written).toHaveLength(2);
    hub.clock.jumpWall(-2 * HOUR);
    await hub.crash();
    await hub.clock.advance(3 * HOUR);
    // It was called again, and answered from the journal.
    expect([hub.triggers.status().called, hub.written]).toEqual([1, []]);
  });

  test("calls nothing while the clock of the hub is not set, and logs that", async () => {
    using hub = await HubWithScenes.make();
    hub.isMachineClockSet = false;
    await hub.tell([{ triggers: [SEVEN] }]);
    expect(hub.triggers.status()).toMatchObject({ timed: 1, next: undefined, hindrance: { kind: "clock" } });
    await hub.clock.advance(24 * HOUR);
    expect(hub.written).toEqual([]);
    hub.state.learnTime(hub.clock.now(), hub.clock.monotonic());
    expect(hub.triggers.status().hindrance).toBeUndefined();
    await hub.clock.advance(24 * HOUR);
    expect(hub.written).toEqual(BOTH);
  });

  test("calls nothing where the system does not know the time zone, and logs that", async () => {
    using hub = await HubWithScenes.make();
    await hub.tell([{ triggers: [SEVEN] }], { timeZone: "Europe/Atlantis" });
    expect(hub.triggers.status()).toMatchObject({ hindrance: { kind: "zone", zone: "Europe/Atlantis" } });
    await hub.tell([{ triggers: [SEVEN] }]);
    expect(hub.triggers.status().hindrance).toBeUndefined();
  });

  test("and the sun call it without the cloud after the agent was killed", async () => {
    using hub = await HubWithScenes.make();
    const location = { latitude: 52.52, longitude: 13.405 };
    await hub.tell([{ triggers: [{ kind: "sun", event: "sunset" }] }], { location });
    await hub.crash();
    const { next = 0 } = hub.triggers.status();
    expect(Math.abs(next - (parseTime("2026-01-01 15:03:00Z") ?? 0))).toBeLessThan(120_000);
    await hub.clock.advance(next - hub.clock.now() + 100);
    expect(hub.written).toEqual(BOTH);
  });
});

test("a hub without triggers has no timer for them, and nor has one that ends", async () => {
  using hub = await HubWithScenes.make();
  const timers = () => hub.clock.pending().filter((name) => name.includes("time and sun"));
  await hub.tell([{}]);
  expect(timers()).toEqual([]);
  await hub.tell([{ triggers: [{ kind: "time", at: "07:00" }] }]);
  expect(timers()).toHaveLength(1);
  hub.triggers[Symbol.dispose]();
  expect(timers()).toEqual([]);
  await hub.report();
  expect(hub.written).toEqual([]);
});
