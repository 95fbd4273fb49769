import { everyDriver } from "@porchlight/driver-kit/judge/every-driver.suite.ts";
import { memoryStore } from "@porchlight/driver-kit/kept/memory-store.fixture.ts";
import { describe, expect, test } from "vitest";
import { BrokerHome, PLUG, Plug } from "./broker-home.fixture.ts";
import { BROKER_EXCUSES, brokerWorld } from "./broker-world.fixture.ts";
import { KeptThings } from "./device/kept-things.ts";
import type { Dialect } from "./device/mqtt-device.ts";
import { LEVEL, LUX, ON, type PlainConfig, PRESS, plainDialect } from "./plain-dialect.fixture.ts";

everyDriver("a broker", brokerWorld({ echoes: false }), { without: BROKER_EXCUSES });

everyDriver("a broker whose topics repeat what was set", brokerWorld({ echoes: true }), { without: BROKER_EXCUSES });

const TARGET = { service: "Cover", index: "0", property: "target" };
const OTHER = "00-15-8D-00-00-00-00-02";

describe("a device behind a broker", () => {
  test("is online as long as its own topic reports it", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { availability: true });
    await home.pass(100);
    expect(home.driver.has(PLUG)).toBe(false);
    home.broker.say(`plain/${PLUG}/availability`, "online", true);
    await home.pass(100);
    expect(home.driver.has(PLUG)).toBe(true);
    home.broker.say(`plain/${PLUG}/availability`, "offline", true);
    await home.pass(0);
    expect([home.driver.has(PLUG), [...home.host.live]]).toEqual([false, []]);
  });

  test("leaves when its description is taken back, and nothing of it stays subscribed", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker);
    await home.pass(100);
    expect(home.broker.filters).toEqual(["plain/+/config", `plain/${PLUG}/on`]);
    home.broker.say(`plain/${PLUG}/config`, "", true);
    await home.pass(100);
    expect([home.driver.has(PLUG), home.broker.filters]).toEqual([false, ["plain/+/config"]]);
  });

  test("that is described otherwise stays, and the host hears how", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker);
    await home.pass(100);
    home.broker.say(`plain/${PLUG}/config`, { has: ["lux"] }, true);
    await home.pass(100);
    expect(home.host.story.filter((line) => line.endsWith(PLUG))).toEqual([`arrived ${PLUG}`, `described ${PLUG}`]);
    home.broker.say(`plain/${PLUG}/lux`, 12);
    await home.pass(0);
    expect(home.reports).toEqual([[PLUG, "lux", 12]]);
  });

  test("gets no retained values: their age is unknown", async () => {
    await using home = new BrokerHome({}, (broker) => broker.say(`plain/${PLUG}/lux`, 5, true));
    new Plug(home.broker, { has: ["lux"] });
    await home.pass(100);
    home.broker.tellKept();
    await home.pass(0);
    expect(home.reports).toEqual([]);
    home.broker.say(`plain/${PLUG}/lux`, 5);
    await home.pass(0);
    expect(home.reports).toEqual([[PLUG, "lux", 5]]);
  });

  test("is reported at each message, also one that repeats a value, and at every event", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["lux", "event"] });
    await home.pass(100);
    for (const lux of [5, 5, 6]) {
      home.broker.say(`plain/${PLUG}/lux`, lux);
      await home.pass(0);
    }
    for (const event of ['"press"', '"press"']) home.broker.say(`plain/${PLUG}/event`, event);
    await home.pass(0);
    const reported = (property: string) =>
      home.reports.filter((report) => report[1] === property).map((report) => report[2]);
    expect([reported("lux"), reported("event")]).toEqual([
      [5, 5, 6],
      ["press", "press"],
    ]);
  });

  test("has no value by a value of another type, and that is counted and named", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["lux"] });
    await home.pass(100);
    home.broker.say(`plain/${PLUG}/lux`, '"bright"');
    home.broker.say(`plain/${PLUG}/lux`, "not JSON");
    await home.pass(0);
    expect(home.reports).toEqual([[PLUG, "lux", null]]);
    expect(home.driver.status().ignored).toEqual({ notUnderstood: 2 });
    expect(home.driver.status().partsNotUnderstood).toEqual([
      `plain/${PLUG}/lux: Illuminance:0.lux is not understood: "not JSON"`,
    ]);
  });
});

describe("a write behind a broker", () => {
  test("is confirmed by the device's own topic, within what the device can tell apart", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["level"] });
    await home.pass(100);
    home.broker.say(`plain/${PLUG}/level`, 7);
    const written = home.driver.write(PLUG, LEVEL, 50, home.attempt());
    await home.pass(0);
    home.broker.say(`plain/${PLUG}/level`, 12);
    home.broker.say(`plain/${PLUG}/level`, 50.2);
    expect(await home.clock.until(written)).toEqual({ kind: "value", value: 50.2 });
    // The value on the way there is reported by itself; the one that answers belongs to the command.
    expect(home.reports).toEqual([[PLUG, "level", 12]]);
  });

  test("of a cover's target is answered when it moves there, and where it is follows as reports", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["cover"] });
    await home.pass(100);
    const at = (position: number) => home.broker.say(`plain/${PLUG}/cover`, position);
    at(100);
    const written = home.driver.write(PLUG, TARGET, 40, home.attempt());
    await home.pass(0);
    for (const position of [100, 97, 60, 40]) {
      at(position);
      await home.pass(0);
    }
    expect(await home.clock.until(written)).toEqual({ kind: "value", value: 40 });
    expect(home.reports).toEqual([100, 97, 60, 40].map((position) => [PLUG, "position", position]));
  });

  test("of a cover's target is not known to be taken while the cover stands still", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["cover"] });
    await home.pass(100);
    home.broker.on(`plain/${PLUG}/cover/get`, () => home.broker.say(`plain/${PLUG}/cover`, 100));
    home.broker.say(`plain/${PLUG}/cover`, 100);
    const written = home.driver.write(PLUG, TARGET, 40, home.attempt());
    expect(await home.clock.until(written)).toMatchObject({ outcome: "unknown" });
    const position = home.driver.write(PLUG, { ...TARGET, property: "position" }, 40, home.attempt());
    expect(await home.clock.until(position)).toMatchObject({ outcome: "rejected" });
  });

  test("of a target on a topic that repeats what was set counts from the device's own report", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["cover"], echoes: true });
    await home.pass(100);
    let position = 97;
    home.broker.on(`plain/${PLUG}/cover/set`, (target) => home.broker.say(`plain/${PLUG}/cover`, Number(target)));
    home.broker.on(`plain/${PLUG}/cover/get`, () => home.broker.say(`plain/${PLUG}/cover`, position));
    home.broker.say(`plain/${PLUG}/cover`, 20);
    const written = home.driver.write(PLUG, TARGET, 40, home.attempt(30_000));
    let isOver = false;
    void written.then(() => {
      isOver = true;
    });
    await home.pass(8000);
    expect(isOver).toBe(false);
    position = 80;
    expect(await home.clock.until(written)).toEqual({ kind: "value", value: 40 });
  });

  test("asks the device once when it has not reported for a while", async () => {
    await using home = new BrokerHome();
    const plug = new Plug(home.broker);
    await home.pass(100);
    plug.answers = false;
    const written = home.driver.write(PLUG, ON, true, home.attempt(9000));
    await home.pass(2999);
    const asked = () => home.broker.published.filter(({ topic }) => topic.endsWith("/get")).length;
    const before = asked();
    plug.answers = true;
    plug.on = true;
    await home.pass(1);
    expect(asked() - before).toBe(1);
    expect(await home.clock.until(written)).toEqual({ kind: "value", value: true });
  });

  describe("to a device whose topic repeats what was set", () => {
    /** Its bridge says at once that it is so. */
    async function echoing() {
      const home = new BrokerHome();
      const plug = new Plug(home.broker, { echoes: true });
      await home.pass(100);
      plug.answers = false;
      home.broker.on(`plain/${PLUG}/on/set`, (payload) => home.broker.say(`plain/${PLUG}/on`, JSON.parse(payload)));
      return { home, plug, written: home.driver.write(PLUG, ON, true, home.attempt(5000)) };
    }

    test("is confirmed by the device's own report, and not before", async () => {
      const { home, plug, written } = await echoing();
      await using _ = home;
      let isOver = false;
      void written.then(() => {
        isOver = true;
      });
      await home.pass(1000);
      expect(isOver).toBe(false);
      plug.answers = true;
      plug.on = true;
      expect(await home.clock.until(written)).toEqual({ kind: "value", value: true });
      expect(home.reports).toEqual([]);
    });

    test("ends unknown when the device denies it, and the host never gets that value", async () => {
      const { home, plug, written } = await echoing();
      await using _ = home;
      plug.answers = true;
      expect(await home.clock.until(written)).toMatchObject({ outcome: "unknown" });
      plug.change(false);
      await home.pass(0);
      expect(home.reports).toEqual([[PLUG, "on", false]]);
      plug.change(true);
      await home.pass(0);
      expect(home.reports).toEqual([
        [PLUG, "on", false],
        [PLUG, "on", true],
      ]);
    });
  });

  test("ends unknown when the device reports otherwise until the deadline", async () => {
    await using home = new BrokerHome();
    const plug = new Plug(home.broker);
    await home.pass(100);
    plug.answers = false;
    const written = home.driver.write(PLUG, ON, true, home.attempt(3000));
    await home.pass(0);
    home.broker.say(`plain/${PLUG}/on`, false);
    expect(await home.clock.until(written)).toMatchObject({ outcome: "unknown", name: "Device Unreachable" });
  });

  test("to a device that never says what it is ends unknown, with why", async () => {
    await using home = new BrokerHome();
    const plug = new Plug(home.broker, { optimistic: true });
    await home.pass(100);
    const result = await home.clock.until(home.driver.write(PLUG, ON, true, home.attempt()));
    expect(result).toMatchObject({ outcome: "unknown", detail: expect.stringContaining("does not report") });
    expect(plug.touched).toBe(1);
  });

  test("that the broker may have had when the connection broke ends unknown", async () => {
    await using home = new BrokerHome();
    const plug = new Plug(home.broker);
    await home.pass(100);
    plug.answers = false;
    const written = home.driver.write(PLUG, ON, true, home.attempt());
    await home.pass(0);
    home.broker.cut();
    expect(await home.clock.until(written)).toMatchObject({ outcome: "unknown" });
    expect(home.clock.monotonic()).toBeLessThan(1000);
  });
});

test("a publisher that never rests is read twenty times a second, with its newest value, and others as ever", async () => {
  await using home = new BrokerHome();
  new Plug(home.broker, { has: ["level"], silent: true });
  new Plug(home.broker, { has: ["level"], silent: true }, OTHER);
  await home.pass(100);
  for (let at = 0; at < 10_000; at += 1) {
    home.broker.say(`plain/${PLUG}/level`, at / 100);
    if (at % 1000 === 0) home.broker.say(`plain/${OTHER}/level`, at / 100);
    await home.pass(1);
  }
  await home.pass(50);
  const of = (device: string) => home.reports.filter(([reported]) => reported === device).map((report) => report[2]);
  expect(of(OTHER)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
  expect(of(PLUG).length).toBeLessThanOrEqual(301);
  expect(of(PLUG).at(-1)).toBe(99.99);
  expect(home.driver.status().ignored).toEqual({ tooFast: 10_000 - of(PLUG).length });
});

describe("a device that is silent", () => {
  async function outcomes(has: NonNullable<PlainConfig["has"]>) {
    await using home = new BrokerHome();
    const plug = new Plug(home.broker, { has });
    await home.pass(100);
    plug.answers = false;
    const read = await home.clock.until(home.driver.read(PLUG, ON, home.attempt()));
    const written = await home.clock.until(home.driver.write(PLUG, ON, true, home.attempt()));
    return [read, written].map((result) => result.kind === "failed" && `${result.outcome}: ${result.detail}`);
  }

  test("may be asleep when it runs on battery, and may act when it wakes", async () => {
    expect(await outcomes(["battery"])).toEqual([
      "unknown: The device did not answer. It runs on a battery and may be asleep.",
      "unknown: The device did not confirm the command. It runs on a battery: if it is asleep, it may still carry out the command when it wakes.",
    ]);
  });

  test("has just not answered when it does not", async () => {
    expect(await outcomes([])).toEqual([
      "unknown: The device did not answer.",
      "unknown: The device did not confirm the command.",
    ]);
  });
});

test("a value that the device only reports by itself cannot be requested, and nothing is sent", async () => {
  await using home = new BrokerHome();
  new Plug(home.broker, { has: ["lux", "event"] });
  await home.pass(100);
  const before = home.broker.published.length;
  const read = await home.driver.read(PLUG, LUX, home.attempt());
  expect(read).toMatchObject({
    outcome: "not_applied",
    detail: expect.stringContaining("only reports this value by itself"),
  });
  expect(await home.driver.read(PLUG, PRESS, home.attempt())).toMatchObject({ outcome: "not_applied" });
  expect(home.broker.published.length).toBe(before);
});

describe("devices behind a broker", () => {
  test.for<PlainConfig>([{ has: ["lock"] }, { sensitive: true }])(
    "are had only when they are admitted; %j not with all others",
    async (config) => {
      const edgeIds = new Set([OTHER]);
      await using home = new BrokerHome({ admit: { all: true, edgeIds } });
      new Plug(home.broker, config);
      new Plug(home.broker, config, OTHER);
      await home.pass(100);
      expect([...home.host.live]).toEqual([OTHER]);
      expect(home.driver.status().awaitingAdmission).toMatchObject([{ edgeId: PLUG }]);
      await using strict = new BrokerHome({ admit: { all: false, edgeIds } });
      new Plug(strict.broker);
      await strict.pass(100);
      expect([...strict.host.live]).toEqual([]);
      expect(strict.driver.status().notAdmitted).toMatchObject([{ edgeId: PLUG }]);
    },
  );

  test("of another hub are left alone, and taken when that one has let them go", async () => {
    const claimed = new Set([PLUG]);
    const askClaims = async (edgeIds: readonly string[]) => edgeIds.filter((edgeId) => claimed.has(edgeId));
    await using home = new BrokerHome({ askClaims });
    new Plug(home.broker);
    new Plug(home.broker, {}, OTHER);
    await home.pass(200);
    expect([...home.host.live]).toEqual([OTHER]);
    claimed.clear();
    await home.pass(61_000);
    expect([...home.host.live].sort()).toEqual([PLUG, OTHER]);
    claimed.add(PLUG);
    home.driver.yield([PLUG]);
    await home.pass(0);
    expect([...home.host.live]).toEqual([OTHER]);
  });

  test("that do not answer are asked for a while and delay no other", async () => {
    await using home = new BrokerHome();
    const silent = Array.from({ length: 20 }, (_, n) => `00-15-8D-00-00-00-01-${n + 10}`);
    for (const edgeId of silent) new Plug(home.broker, {}, edgeId).answers = false;
    new Plug(home.broker);
    await home.pass(100);
    const written = home.driver.write(PLUG, ON, true, home.attempt(1000));
    await home.pass(0);
    expect(await home.clock.until(written)).toEqual({ kind: "value", value: true });
    await home.pass(30_000);
    expect(home.host.learnings.map(({ device }) => device)).not.toContain(silent[0]);
  });

  test("that leave three questions open are not asked the others, which are those of no standard class", async () => {
    await using home = new BrokerHome();
    new Plug(home.broker, { has: ["own", "level", "cover", "fan"] }).answers = false;
    await home.pass(60_000);
    expect(home.broker.published.map(({ topic }) => topic)).toEqual(
      ["on", "level", "cover"].map((what) => `plain/${PLUG}/${what}/get`),
    );
  });
});

test("a broker that is away is tried again, ever less often, and `status` states why", async () => {
  await using home = new BrokerHome({}, (broker) => broker.cut("connect ECONNREFUSED 127.0.0.1:1883"));
  await home.pass(60_000);
  expect(home.driver.status()).toMatchObject({
    broker: "connecting",
    brokerFailure: "connect ECONNREFUSED 127.0.0.1:1883",
  });
  home.broker.mend();
  new Plug(home.broker);
  await home.pass(61_000);
  expect(home.driver.status()).toMatchObject({ broker: "connected", devices: { admitted: 1, live: 1 } });
});

test("publishers are asked to describe their devices where the settings say so", async () => {
  const birth = { topic: "homeassistant/status", payload: "online" };
  await using home = new BrokerHome({ birth });
  await home.pass(0);
  expect(home.broker.published).toEqual([birth]);
});

describe("what a broker has kept", () => {
  const kept = (home: BrokerHome) => home.host.learnings.filter(({ isRetained }) => isRetained);

  test("is reported as such, once the device is live, and never again after it has spoken", async () => {
    await using home = new BrokerHome();
    home.broker.say(`plain/${PLUG}/on`, true, true);
    const plug = new Plug(home.broker, { availability: true, silent: true });
    await home.pass(100);
    expect(kept(home)).toEqual([]);
    home.broker.say(`plain/${PLUG}/availability`, "online", true);
    await home.pass(100);
    expect(kept(home)).toEqual([{ device: PLUG, ...ON, value: true, isRetained: true }]);
    expect(home.host.reports).toEqual([]);
    plug.change(false);
    await home.pass(0);
    home.broker.tellKept();
    await home.pass(0);
    expect(kept(home)).toHaveLength(1);
  });

  test("confirms nothing, and is no event", async () => {
    await using home = new BrokerHome();
    home.broker.say(`plain/${PLUG}/event`, "press", true);
    home.broker.say(`plain/${PLUG}/on`, true, true);
    const plug = new Plug(home.broker, { has: ["event"] });
    await home.pass(100);
    expect(kept(home).map(({ property }) => property)).not.toContain("event");
    plug.answers = false;
    const writing = home.driver.write(PLUG, ON, true, home.attempt(3000));
    await home.pass(100);
    home.broker.tellKept();
    expect(await home.clock.until(writing)).toMatchObject({ kind: "failed", outcome: "unknown" });
  });
});

test("a device that a publisher gives another address keeps the edgeId of its first description", async () => {
  const store = memoryStore();
  const [derived, mac] = ["02-15-8D-00-00-00-00-09", "AC-0B-FB-D6-E1-B2"];
  const home = (edgeId: string) => {
    const dialect = plainDialect();
    const { name, filters, ignored, problems } = dialect;
    const identified: Dialect = {
      ...{ name, filters, ignored, problems },
      take: (message) => dialect.take(message),
      get devices() {
        return new Map(
          [...dialect.devices.values()].map((device) => [edgeId, { ...device, edgeId, identity: "plug" }]),
        );
      },
    };
    return new BrokerHome({ kept: new KeptThings(store), dialects: [identified] });
  };
  for (const edgeId of [derived, mac]) {
    await using one = home(edgeId);
    new Plug(one.broker);
    await one.pass(100);
    expect([...one.host.live]).toEqual([derived]);
  }
});
