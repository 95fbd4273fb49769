import { describe, expect, test } from "vitest";
import { device, LAMP, on } from "../state/state.fixture.ts";
import { LAMP_BASE, PublishingHub } from "./publishing.fixture.ts";

const refusal = { kind: "failed", name: "Device Rejected", outcome: "rejected", detail: "no" } as const;
/** The commands in the hub's journal, by what was touched. */
const writes = ({ driver }: PublishingHub) => driver.touches.map(({ property, value }) => [property, value]);

describe("a message that sets a property", () => {
  test("is a command: the device is asked, and its value is stored with the cause local and published", async () => {
    await using hub = await PublishingHub.make();
    await hub.set("Switch/0/on", "true");
    expect(writes(hub)).toEqual([["on", true]]);
    expect(hub.kept("Switch/0/on")).toBe("true");
    const records = hub.state.pending(0, 100, 1_000_000);
    expect(records.at(-1)).toMatchObject({ kind: "value", property: "on", value: true, cause: "local" });
    expect(hub.counters).toMatchObject({ confirmed: 1 });
  });

  test("is in the journal before the device is asked", async () => {
    await using hub = await PublishingHub.make();
    hub.driver.hold();
    await hub.set("Switch/0/on", "true");
    expect(hub.driver.touches).toHaveLength(1);
    await hub.stop();
    hub.state.kill();
    const again = hub.disk.open();
    expect(again.unsettled).toEqual([{ device: LAMP, service: "Switch", index: "0", property: "on" }]);
  });

  test("as a colour sets its hue and its saturation", async () => {
    await using hub = await PublishingHub.make();
    await hub.set("LightColor/0/hue,saturation", "30.5,80");
    expect(writes(hub)).toEqual([
      ["hue", 30.5],
      ["saturation", 80],
    ]);
    expect(hub.kept("LightColor/0/hue,saturation")).toBe("30.5,80");
  });

  test("that fails has the present value published again, so that no reader shows another", async () => {
    await using hub = await PublishingHub.make();
    await hub.report("Switch.on", false);
    hub.published();
    hub.driver.next.push(refusal);
    await hub.set("Switch/0/on", "true");
    expect(hub.published()).toEqual([["Switch/0/on", "false"]]);
    expect(hub.counters).toMatchObject({ failed: 1 });
  });

  test("that the device answers with another value has that value published, also when it was published before", async () => {
    await using hub = await PublishingHub.make();
    await hub.report("LightLevel.level", 10);
    hub.published();
    hub.driver.next.push({ kind: "value", value: 10 });
    await hub.set("LightLevel/0/level", "5");
    expect(hub.published()).toEqual([["LightLevel/0/level", "10"]]);
  });

  test("is refused while another agent with the hub's identity is online", async () => {
    await using hub = await PublishingHub.make();
    hub.isSuperseded = true;
    await hub.set("Switch/0/on", "true");
    expect([writes(hub), hub.counters.failed]).toEqual([[], 1]);
  });

  test("is given up after 10 s when the device does not come to it", async () => {
    await using hub = await PublishingHub.make();
    hub.driver.hold();
    await hub.set("Switch/0/on", "true");
    await hub.set("Switch/0/on", "false");
    await hub.pass(10_000);
    hub.driver.release();
    await hub.pass(100);
    // The second came to its turn too late.
    expect([writes(hub), hub.counters.confirmed, hub.counters.failed]).toEqual([[["on", true]], 1, 1]);
  });

  test("of one property is carried out after those that came before, and waits for no other property's", async () => {
    await using hub = await PublishingHub.make();
    hub.driver.hold();
    for (const level of [1, 2, 3]) hub.broker.say(`${LAMP_BASE}/LightLevel/0/level/set`, String(level));
    await hub.set("Switch/0/on", "true");
    expect(writes(hub)).toEqual([
      ["level", 1],
      ["on", true],
    ]);
    hub.driver.release();
    await hub.pass(100);
    expect(writes(hub).filter(([property]) => property === "level")).toEqual(
      [1, 2, 3].map((level) => ["level", level]),
    );
    expect(hub.kept("LightLevel/0/level")).toBe("3");
  });

  test("beyond a hundred under way is counted and not carried out, and the value is published again", async () => {
    await using hub = await PublishingHub.make();
    await hub.report("LightLevel.level", 50);
    hub.driver.hold();
    for (let level = 0; level < 110; level += 1) hub.broker.say(`${LAMP_BASE}/LightLevel/0/level/set`, "7");
    hub.published();
    await hub.set("LightLevel/0/level", "8");
    expect(hub.counters).toMatchObject({ busy: 11 });
    expect(hub.published()).toEqual([["LightLevel/0/level", "50"]]);
    hub.driver.release();
    for (let turn = 0; turn < 100; turn += 1) await hub.pass(20);
    expect(hub.counters).toMatchObject({ confirmed: 100, busy: 11 });
  });
});

describe("a message that sets nothing", () => {
  test.for([
    ["LightLevel/0/level", "bright", "badValue"],
    ["LightLevel/0/level", "101", "badValue"],
    ["Switch/0/on", "ON", "badValue"],
    ["LightColor/0/hue,saturation", "30", "badValue"],
    ["LightColor/0/hue,saturation", "30,101", "badValue"],
    ["LightColor/1/hue,saturation", "30,50", "unknownProperty"],
    ["Switch/1/on", "true", "unknownProperty"],
    ["Temperature/0/celsius", "20", "notWritable"],
    ["Button/0/event", "press", "notWritable"],
    ["Switch/0/on", "x".repeat(16 * 1024 + 1), "tooLarge"],
  ] as const)("to %s is counted", async ([topic, payload, why]) => {
    await using hub = await PublishingHub.make();
    await hub.set(topic, payload);
    expect([writes(hub), hub.counters[why]]).toEqual([[], 1]);
    await hub.set(topic, payload);
    expect(hub.counters[why]).toBe(2);
    expect(hub.warnings).toEqual([
      ["a command from the broker was refused", { topic: `${LAMP_BASE}/${topic}/set`, why }],
    ]);
  });

  test("has the value published again for readers that may show the wanted one", async () => {
    await using hub = await PublishingHub.make();
    await hub.report("LightLevel.level", 10);
    hub.published();
    await hub.set("LightLevel/0/level", "101");
    expect(hub.published()).toEqual([["LightLevel/0/level", "10"]]);
  });

  test("because the broker had kept it, is counted", async () => {
    await using hub = new PublishingHub();
    hub.broker.say(`${LAMP_BASE}/Switch/0/on/set`, "true", true);
    await hub.disk.done(hub.state.arrive(device()));
    hub.driver.live.add(LAMP);
    hub.start();
    await hub.pass(2500);
    expect([writes(hub), hub.counters.retained]).toEqual([[], 1]);
    expect(hub.state.value(on(true))).toBeUndefined();
  });

  test("of a device that is not the hub's, is counted", async () => {
    await using hub = await PublishingHub.make();
    hub.broker.say(`porchlight/02-00-00-00-00-01/00-1B-44-11-3A-FF/Switch/0/on/set`, "true");
    await hub.pass(100);
    expect(hub.counters).toMatchObject({ unknownProperty: 1 });
  });
});
