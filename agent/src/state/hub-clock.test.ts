import { VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";
import { HubClock, tell } from "./hub-clock.ts";
import { Disk, device, level, pending, pressed } from "./state.fixture.ts";

/** 2026-01-01, ms since 1970: where a virtual clock begins. */
const NEW_YEAR = 1_767_225_600_000;
const HOUR = 3_600_000;
const YEARS = 56 * 365 * 24 * HOUR;

describe("the source of the time", () => {
  const cloud = { wall: NEW_YEAR, monotonic: 1000, whose: "cloud" } as const;
  const seen = { wall: NEW_YEAR, monotonic: 1000, whose: "seen" } as const;
  test.each([
    ["the system's, until another time is known", undefined, 5, 2000, { now: 5, source: "system" }],
    [
      "the system's, when it agrees with the cloud's",
      cloud,
      NEW_YEAR + 5000,
      2000,
      { now: NEW_YEAR + 5000, source: "system" },
    ],
    ["the cloud's, when the system's is behind", cloud, 5, 61_000, { now: NEW_YEAR + 60_000, source: "cloud" }],
    ["the cloud's, when the system's is ahead", cloud, NEW_YEAR + HOUR, 1000, { now: NEW_YEAR, source: "cloud" }],
    ["one that was seen, when the system's is earlier", seen, 5, 61_000, { now: NEW_YEAR + 60_000, source: "guessed" }],
    [
      "the system's, when it is later than one that was seen",
      seen,
      NEW_YEAR + HOUR,
      1000,
      { now: NEW_YEAR + HOUR, source: "system" },
    ],
  ] as const)("%s", (_what, anchor, wall, monotonic, expected) => {
    expect(tell(anchor, wall, monotonic)).toEqual(expected);
  });
});

describe("the clock of a hub", () => {
  const boot = { id: "this start", zero: 70_000 };

  test("goes on through jumps of the system's clock once the cloud has sent the time, and states its difference", async () => {
    const system = new VirtualClock(NEW_YEAR);
    const clock = new HubClock(system, boot, 0);
    expect([clock.isSetByCloud, clock.skewMs, clock.source]).toEqual([false, undefined, "system"]);
    clock.learn(NEW_YEAR, system.monotonic());
    for (const jump of [HOUR, -3 * HOUR, YEARS, -YEARS]) {
      system.jumpWall(jump);
      const before = clock.now();
      await system.advance(60_000);
      expect(clock.now() - before).toBe(60_000);
    }
    expect(clock.now()).toBe(NEW_YEAR + 240_000);
    expect([clock.source, clock.skewMs]).toEqual(["cloud", -2 * HOUR]);
  });

  test("corrects what was observed in this start of the machine, and nothing of another", async () => {
    const system = new VirtualClock(1000);
    const clock = new HubClock(system, boot, 0);
    await system.advance(10_000);
    const stamp = clock.stamp();
    const observedAt = clock.now();
    await system.advance(20_000);
    clock.learn(NEW_YEAR, system.monotonic());
    expect(clock.corrected(observedAt, stamp)).toBe(NEW_YEAR - 20_000);
    expect(clock.corrected(observedAt, stamp && { ...stamp, boot: "another" })).toBe(observedAt);
    expect(clock.stamp()).toBeUndefined();
  });

  test("corrects nothing that was right", async () => {
    const system = new VirtualClock(NEW_YEAR);
    const clock = new HubClock(system, boot, 0);
    const stamp = clock.stamp();
    await system.advance(20_000);
    clock.learn(NEW_YEAR + 21_000, system.monotonic());
    expect(clock.corrected(NEW_YEAR, stamp)).toBe(NEW_YEAR);
  });
});

describe("a hub that boots in 1970", () => {
  const boot = { id: "first start", zero: 0 };

  async function booted() {
    const disk = new Disk();
    disk.clock.jumpWall(-NEW_YEAR);
    const state = disk.open({ boot, groupMs: 1 });
    await disk.done(state.arrive(device()));
    return { disk, state, [Symbol.dispose]: () => disk[Symbol.dispose]() };
  }
  const times = (state: Parameters<typeof pending>[0]) => pending(state).map(({ observedAt }) => observedAt);

  test("corrects the times of everything that it stored before it got the time", async () => {
    using hub = await booted();
    const { disk, state } = hub;
    await disk.clock.advance(HOUR);
    await disk.report(state, pressed());
    await disk.report(state, level(7));
    const seenAt = disk.clock.monotonic();
    await disk.clock.advance(2 * HOUR);
    expect(times(state).every((time) => time < YEARS / 2)).toBe(true);

    state.learnTime(NEW_YEAR, disk.clock.monotonic());
    const right = NEW_YEAR - (disk.clock.monotonic() - seenAt);
    const [came, press, value] = times(state);
    expect(Math.abs((came ?? 0) - (right - HOUR))).toBeLessThan(10);
    for (const time of [press, value, state.value(level(7))?.observedAt])
      expect(Math.abs((time ?? 0) - right)).toBeLessThan(10);
    expect(state.status().clock).toMatchObject({ source: "cloud" });
  });

  test("does so also when the agent has been started again since, and not when the machine has", async () => {
    using hub = await booted();
    const { disk, state } = hub;
    await disk.report(state, pressed());
    const seenAt = disk.clock.monotonic();
    state.kill();
    const again = disk.open({ boot, groupMs: 1 });
    await disk.clock.advance(HOUR);
    again.learnTime(NEW_YEAR, disk.clock.monotonic());
    expect(Math.abs((times(again).at(-1) ?? 0) - (NEW_YEAR - (disk.clock.monotonic() - seenAt)))).toBeLessThan(10);
    again.kill();
    const other = disk.open({ boot: { id: "second start", zero: 0 }, groupMs: 1 });
    other.learnTime(NEW_YEAR, disk.clock.monotonic());
    expect(times(other).at(-1)).toBeLessThan(YEARS / 2);
  });

  test("knows at its next start that it cannot be earlier than when it last knew the time", async () => {
    using hub = await booted();
    const { disk, state } = hub;
    state.learnTime(NEW_YEAR, disk.clock.monotonic());
    await disk.clock.advance(5 * HOUR);
    await state[Symbol.asyncDispose]();
    const again = disk.open({ boot: { id: "second start", zero: 0 } });
    expect(again.status().clock).toEqual({ skewMs: undefined, source: "guessed" });
    expect(again.time.now()).toBeGreaterThanOrEqual(NEW_YEAR + 4 * HOUR);
  });

  test("keeps the minute between equal values, at any jump of the wall clock", async () => {
    using hub = await booted();
    const { disk, state } = hub;
    await disk.report(state, level(7));
    const { lastNumber } = state;
    for (const jump of [YEARS, -2 * YEARS, YEARS]) {
      disk.clock.jumpWall(jump);
      await disk.report(state, level(7));
    }
    expect(state.lastNumber).toBe(lastNumber);
    await disk.clock.advance(60_000);
    await disk.report(state, level(7));
    expect(state.lastNumber).toBe(lastNumber + 1);
  });
});
