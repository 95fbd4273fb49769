import {
  type Attempt,
  attemptOf,
  type DriverHost,
  type DriverResult,
  type StatedDriver,
  SupervisedDriver,
} from "@porchlight/driver-kit";
import { FakeHost } from "@porchlight/driver-kit/host/fake-host.fixture.ts";
import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { HubAndNode, SWITCH } from "@porchlight/driver-porchlight/hub-and-node.fixture.ts";
import { LINE_EXCUSES, lineWorld } from "@porchlight/driver-porchlight/line-world.fixture.ts";
import { LAMP, OTHER } from "@porchlight/driver-porchlight/scripted-node.fixture.ts";
import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { describe, expect, test } from "vitest";

const YES: DriverResult = { kind: "value", value: true };
const DEVICE = { description: [], about: {}, transport: "nothing" };

/** A driver with one device and no hardware; what a test changes of it is its author's mistake. */
function simpleDriver(host: DriverHost, changes: Partial<StatedDriver> = {}): StatedDriver {
  host.arrived({ edgeId: LAMP, ...DEVICE });
  return {
    name: "simple",
    has: (edgeId) => edgeId === LAMP,
    read: async () => YES,
    write: async () => YES,
    [Symbol.asyncDispose]: async () => host.left(LAMP),
    ...changes,
  };
}

/** A supervisor whose n-th start is the n-th of these, the last of them again and again. */
function supervised(...starts: ((host: DriverHost) => StatedDriver | Promise<StatedDriver>)[]) {
  const clock = new VirtualClock();
  const host = new FakeHost();
  const hosts: DriverHost[] = [];
  const driver = new SupervisedDriver({
    name: "simple",
    start: (given) => {
      const start = starts[hosts.length] ?? starts.at(-1);
      hosts.push(given);
      if (!start) throw new Error("no start");
      return start(given);
    },
    clock,
    random: seededRandom(1),
    log: silentLog,
    host,
  });
  const attempt = (ms = 1000) => attemptOf(clock, { deadline: clock.monotonic() + ms, mayTouch: () => true });
  return { clock, host, hosts, driver, attempt, read: (ms?: number) => driver.read(LAMP, SWITCH, attempt(ms)) };
}

const broken = () => {
  throw new Error("the author did not think of this");
};

everyDriver("any supervised driver", lineWorld, {
  without: LINE_EXCUSES,
  through:
    (start, { clock, random, log }) =>
    (host) =>
      new SupervisedDriver({ name: "supervised", start, clock, random, log, host }),
});

describe("a driver that fails", () => {
  test.each<[string, (host: DriverHost) => StatedDriver | Promise<StatedDriver>]>([
    ["cannot start", broken],
    ["rejects its start", async () => broken()],
    ["says so", (host) => simpleDriver(host, { failed: Promise.resolve(new Error("the author gave up")) })],
    [
      "breaks its word that it has not failed",
      (host) => simpleDriver(host, { failed: Promise.reject(new Error("no")) }),
    ],
  ])("and %s is started again, and `status` says so", async (_, first) => {
    const one = supervised(first, simpleDriver);
    await settle();
    expect(one.driver.status()).toMatchObject({ driver: "failed", restarts: 0 });
    await one.clock.advance(1000);
    expect(one.driver.status()).toMatchObject({ driver: "running", restarts: 1, failure: expect.any(String) });
    expect([one.driver.has(LAMP), [...one.host.live]]).toEqual([true, [LAMP]]);
    await one.driver[Symbol.asyncDispose]();
    expect(one.host.live.size).toBe(0);
  });

  test("waits ever longer between its starts, a minute at the most", async () => {
    const one = supervised(broken);
    await one.clock.advance(3_600_000);
    // Full jitter: thirty seconds on average once the bound is reached.
    expect(one.hosts.length).toBeGreaterThan(60);
    expect(one.hosts.length).toBeLessThan(240);
    await one.driver[Symbol.asyncDispose]();
    expect(one.clock.pending()).toEqual([]);
  });

  test.each<[string, Partial<StatedDriver>, string]>([
    ["throws when it is asked to read", { read: broken }, "not_applied"],
    ["rejects what it is asked to read", { read: async () => broken() }, "not_applied"],
    ["throws while it touches the device", { read: async (_, __, attempt) => attempt.touch(broken) }, "unknown"],
  ])("and %s has that answered truly, loses its devices and is started again", async (_, changes, outcome) => {
    const one = supervised((host) => simpleDriver(host, changes), simpleDriver);
    await settle();
    expect(await one.read()).toMatchObject({ kind: "failed", name: "Device Unreachable", outcome });
    await settle();
    expect([one.host.live.size, one.driver.has(LAMP)]).toEqual([0, false]);
    expect(await one.read()).toMatchObject({ kind: "failed", outcome: "not_applied" });
    await one.clock.advance(1000);
    expect(await one.read()).toEqual(YES);
    await one.driver[Symbol.asyncDispose]();
  });

  test("and does not report that its devices have left, or throws at its end, has it reported for it", async () => {
    const one = supervised((host) => simpleDriver(host, { has: broken, [Symbol.asyncDispose]: async () => broken() }));
    await settle();
    expect([...one.host.live]).toEqual([LAMP]);
    expect(one.driver.has(LAMP)).toBe(false);
    await settle();
    expect(one.host.live.size).toBe(0);
    await one.driver[Symbol.asyncDispose]();
  });

  test("is not listened to any more: an earlier life neither brings devices nor takes them away", async () => {
    const one = supervised((host) => simpleDriver(host, { read: broken }), simpleDriver);
    await settle();
    await one.read();
    await one.clock.advance(1000);
    const [earlier] = one.hosts;
    earlier?.left(LAMP);
    expect(earlier?.arrived({ edgeId: OTHER, ...DEVICE })).toBe("refused");
    const report = { device: LAMP, ...SWITCH, value: true };
    expect(await earlier?.reported(report, { node: LAMP, boot: 1, seq: 1 })).toBe("busy");
    await earlier?.learned(report);
    expect([[...one.host.live], one.host.reports, one.host.learnings]).toEqual([[LAMP], [], []]);
    await one.driver[Symbol.asyncDispose]();
  });
});

describe("a driver that hangs", () => {
  const never = () => new Promise<never>(() => undefined);

  test("keeps no caller longer than a second past the deadline, and delays no other driver", async () => {
    const one = supervised((host) => simpleDriver(host, { read: (_, __, attempt) => attempt.touch(never) }));
    await using other = await HubAndNode.live({ id: OTHER, devices: [OTHER] }, {});
    await settle();
    const from = one.clock.monotonic();
    const stuck = one.read(3000);
    expect(await other.clock.until(other.driver.read(OTHER, SWITCH, other.attempt()))).toMatchObject({ kind: "value" });
    expect(await one.clock.until(stuck)).toMatchObject({ name: "Hub Timeout", outcome: "unknown" });
    expect(one.clock.monotonic() - from).toBe(4000);
    await one.driver[Symbol.asyncDispose]();
  });

  test("before it touches the device has not applied the request, and cannot touch the device any more", async () => {
    const go = Promise.withResolvers<void>();
    let touched = 0;
    const read = async (_: string, __: unknown, attempt: Attempt) => {
      await go.promise;
      return attempt.touch(() => {
        touched += 1;
        return YES;
      });
    };
    const one = supervised((host) => simpleDriver(host, { read }));
    await settle();
    // Its own clock has stood still, as a process does that was stopped: by that there is time left.
    const attempt = { deadline: one.clock.monotonic(), touch: <T>(send: () => T) => send() };
    const answer = await one.clock.until(one.driver.read(LAMP, SWITCH, attempt));
    expect(answer).toMatchObject({ name: "Hub Timeout", outcome: "not_applied" });
    go.resolve();
    await settle();
    expect(touched).toBe(0);
    await one.driver[Symbol.asyncDispose]();
  });

  test("at its start does not hold up the hub's end; when it starts after all it is undone", async () => {
    const late = Promise.withResolvers<StatedDriver>();
    let ended = 0;
    const one = supervised(() => late.promise);
    await settle();
    expect(one.driver.status()).toMatchObject({ driver: "starting" });
    expect(await one.read()).toMatchObject({ outcome: "not_applied" });
    await one.driver[Symbol.asyncDispose]();
    late.resolve(simpleDriver(new FakeHost(), { [Symbol.asyncDispose]: async () => void ++ended }));
    await settle();
    expect(ended).toBe(1);
  });

  test("at its end is waited for five seconds, and no longer", async () => {
    const one = supervised((host) => simpleDriver(host, { [Symbol.asyncDispose]: never }));
    await settle();
    const from = one.clock.monotonic();
    await one.clock.until(one.driver[Symbol.asyncDispose]());
    expect(one.clock.monotonic() - from).toBe(5000);
    expect(one.host.live.size).toBe(0);
  });
});
