import { seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { attemptOf } from "./attempt.ts";
import { carryOut } from "./carry-out.ts";
import type { Attempt, Driver, DriverHost, DriverResult, ReportSource } from "./driver.ts";
import { everyDriver } from "./every-driver.suite.ts";
import { FakeHost } from "./fake-host.fixture.ts";
import { MOST_EVENTS, PUSH_AGAIN_MS } from "./push-queue.ts";
import { SupervisedDriver } from "./supervised.ts";

const PLUG = "02-00-00-00-00-31";
const ON = { service: "Switch", index: "0", property: "on" };
const PRESS = { service: "Button", index: "0", property: "event" };

/** A device behind a broker: it pushes what is true now, without boots and sequence numbers. */
class Plug {
  on: Value = false;
  answers = true;
  isThere = true;
  touched = 0;
  arrive: () => void = () => undefined;
  leave: () => void = () => undefined;
  /** Ends every question. */
  readonly ended = Promise.withResolvers<void>();
}

function pushDriver(plug: Plug, host: DriverHost, clock: VirtualClock): Driver {
  let isLive = false;
  plug.arrive = () => {
    host.opened("broker");
    const boolean = { property: "on", type: "boolean", access: ["read", "write"] } as const;
    const services = ["Switch", "Identify"].map((service) => ({ service, index: "0", properties: [boolean] }));
    isLive = host.arrived({ edgeId: PLUG, description: services, about: {}, transport: "broker" }) === "admitted";
    void host.learned({ device: PLUG, ...ON, value: plug.on });
  };
  plug.leave = () => {
    if (isLive) host.left(PLUG);
    isLive = false;
  };
  plug.arrive();
  const ask = (device: string, property: string, touch: () => Value, given: Attempt): Promise<DriverResult> =>
    carryOut(given, async (attempt) => {
      if (!isLive || device !== PLUG || property !== "on") throw new Error("There is no such device or property.");
      const now = attempt.touch(() => (plug.answers ? touch() : undefined));
      if (now !== undefined) return { now };
      const late = Promise.withResolvers<void>();
      const timer = clock.timer("answer of the plug", attempt.deadline - clock.monotonic(), late.resolve);
      await Promise.race([late.promise, plug.ended.promise]);
      timer.cancel();
      return { unknown: "The plug did not answer." };
    });
  return {
    name: "push",
    has: (edgeId) => isLive && edgeId === PLUG,
    read: (device, { property }, attempt) => ask(device, property, () => plug.on, attempt),
    write: (device, { property }, value, attempt) => {
      const set = () => {
        plug.touched += 1;
        plug.on = value;
        return value;
      };
      return ask(device, property, set, attempt);
    },
    [Symbol.asyncDispose]: async () => {
      plug.ended.resolve();
      plug.leave();
    },
  };
}

everyDriver("pushes without boots and sequence numbers", async () => {
  const clock = new VirtualClock();
  const host = new FakeHost();
  const plug = new Plug();
  const given = Promise.withResolvers<DriverHost>();
  const start = (life: DriverHost) => {
    given.resolve(life);
    return pushDriver(plug, life, clock);
  };
  const driver = new SupervisedDriver({ name: "push", start, clock, random: seededRandom(1), log: silentLog, host });
  const life = await given.promise;
  await settle();
  return {
    driver,
    host,
    device: PLUG,
    property: ON,
    touched: () => plug.touched,
    silence: () => {
      plug.answers = false;
    },
    speak: () => {
      plug.answers = true;
    },
    cut: () => plug.leave(),
    mend: () => plug.arrive(),
    change: (value) => void life.pushed({ device: PLUG, ...ON, value }),
    attempt: (ms, mayTouch = () => true) => attemptOf(clock, { deadline: clock.monotonic() + ms, mayTouch }),
    settled: async (promise) => {
      if (promise) return clock.until(promise);
      await settle();
      return undefined;
    },
    pass: (ms) => clock.advance(ms),
    pending: () => clock.pending(),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
});

/** A host that has room only after `open`. */
function crowded() {
  const host = new FakeHost();
  const stored: Value[] = [];
  const sources: ReportSource[] = [];
  let isOpen = false;
  host.commit = async ({ value }, source) => {
    sources.push(source);
    if (isOpen) stored.push(value);
    return isOpen ? "stored" : "busy";
  };
  const open = async () => {
    isOpen = true;
    await host.clock.advance(MOST_EVENTS * PUSH_AGAIN_MS);
  };
  return { host, stored, sources, open };
}

test("of values that wait for room the newest is stored, and no older one after it", async () => {
  const { host, stored, open } = crowded();
  const told = [1, 2, 3, 4].map((value) => host.pushed({ device: PLUG, ...ON, value }));
  await settle();
  await open();
  expect(await Promise.all(told)).toEqual(["replaced", "replaced", "replaced", "stored"]);
  expect(stored).toEqual([4]);
});

test("every event that waits for room is stored, once and in its order; one too many is not taken in", async () => {
  const { host, stored, sources, open } = crowded();
  const events = Array.from({ length: MOST_EVENTS }, (_, n) => n);
  const told = events.map((value) => host.pushed({ device: PLUG, ...PRESS, value }));
  expect(await host.pushed({ device: PLUG, ...PRESS, value: -1 })).toBe("busy");
  await settle();
  await open();
  expect(new Set(await Promise.all(told))).toEqual(new Set(["stored"]));
  expect(stored).toEqual(events);
  expect(new Set(sources.map(({ boot, seq }) => `${boot} ${seq}`)).size).toBe(events.length);
});

test("a push is tried again under the identity that it had", async () => {
  const { host, sources, open } = crowded();
  const told = host.pushed({ device: PLUG, ...PRESS, value: "press" });
  await settle();
  await open();
  expect(await told).toBe("stored");
  expect(sources).toHaveLength(2);
  expect(sources[1]).toEqual(sources[0]);
});
