/** Group 1: what a driver owes to its host and its callers, one promise a test. */
import { addressKey } from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import type { JudgeOptions, OpenWorld } from "./world.suite.ts";

/** Nothing has touched the device. */
const NOT_APPLIED = { kind: "failed", outcome: "not_applied" };

export function judgeBasics(open: OpenWorld, options: JudgeOptions): void {
  const begin = () => Trial.begin(open, options);

  test("reports a described device to its host, with how it is reached and the hub's own Identify", async () => {
    await using one = await begin();
    const { device } = one.world;
    const [arrival] = one.host.arrivals;
    expect(arrival?.edgeId).toBe(device);
    expect(arrival?.transport).not.toBe("");
    const identifies = arrival?.description.some(({ service }) => service === "Identify");
    expect(identifies, "Identify, unless it is excused").toBe(options.without?.identify === undefined);
    expect(one.driver.has(device)).toBe(true);
  });

  test("says that the line is open, by the name under which the device is then reached, before the device arrives", async () => {
    await using one = await begin();
    const { story, arrivals } = one.host;
    const opened = story.indexOf(`opened ${arrivals[0]?.transport}`);
    expect(opened).toBeGreaterThanOrEqual(0);
    expect(opened).toBeLessThan(story.indexOf(`arrived ${one.world.device}`));
  });

  test("has read the device by itself before long", async () => {
    await using one = await begin();
    const { service, property } = one.world.property;
    expect(one.host.learnings.some((each) => each.service === service && each.property === property)).toBe(true);
  });

  test("answers a write with what the device says, and a read with what it has become", async () => {
    await using one = await begin();
    for (const value of [true, false, true]) {
      expect(await one.settled(one.write(value))).toEqual({ kind: "value", value });
      expect(await one.settled(one.read())).toEqual({ kind: "value", value });
      expect(one.world.actual()).toBe(value);
    }
    expect(one.world.touched()).toBe(3);
  });

  test("touches nothing past the deadline or without permission", async () => {
    await using one = await begin();
    expect(await one.settled(one.write(true, 0))).toMatchObject(NOT_APPLIED);
    expect(await one.settled(one.write(true, 5000, { mayTouch: () => false }))).toMatchObject(NOT_APPLIED);
    expect(one.world.touched()).toBe(0);
  });

  test("says of a device that does not answer that the outcome is unknown", async () => {
    await using one = await begin();
    one.world.silence();
    const result = await one.settled(one.write(true, 3000));
    expect(result).toMatchObject({ kind: "failed", name: "Device Unreachable", outcome: "unknown" });
  });

  test("hears what the device does by itself", async () => {
    await using one = await begin();
    const { device, property } = one.world;
    one.world.change(true);
    await one.clock.advance(1000);
    // A device may say all that it is in one message.
    const ofProperty = one.host.reports.filter(({ report }) => addressKey(report) === addressKey(property));
    expect(ofProperty.at(-1)?.report).toMatchObject({ device, ...property, value: true });
  });

  test("says at once that a device is gone with its line, and finds it again", async () => {
    await using one = await begin();
    const { world, host } = one;
    world.cut();
    await one.clock.advance(0);
    expect(one.driver.has(world.device)).toBe(false);
    expect(host.live.has(world.device)).toBe(false);
    expect(await one.settled(one.write(true, 1000))).toMatchObject(NOT_APPLIED);
    world.mend();
    await one.settled(host.recorded(`arrived ${world.device}`, 2));
    expect(one.driver.has(world.device)).toBe(true);
  });

  test("never throws for a device or property that it does not have", async () => {
    await using one = await begin();
    const { device, property } = one.world;
    const elsewhere = one.driver.read("02-00-00-FF-FF-FF", property, one.attempt(1000));
    expect(await one.settled(elsewhere)).toMatchObject(NOT_APPLIED);
    const nothing = { service: "NoSuchService", index: "0", property: "none" };
    expect(await one.settled(one.driver.read(device, nothing, one.attempt(1000)))).toMatchObject({ kind: "failed" });
    const written = one.driver.write(device, nothing, true, one.attempt(1000));
    expect(await one.settled(written)).toMatchObject({ kind: "failed" });
    expect(one.world.touched()).toBe(0);
  });

  test("ends twice as well as once: its devices leave, what is in flight ends, and no timer stays", async () => {
    await using one = await begin();
    one.world.silence();
    const inFlight = one.write(true, 60_000);
    await one.clock.advance(0);
    await one.settled(Promise.all([one.driver[Symbol.asyncDispose](), one.driver[Symbol.asyncDispose]()]));
    expect(await one.settled(inFlight)).toMatchObject({ kind: "failed", outcome: "unknown" });
    expect(one.host.live.size).toBe(0);
    expect([one.pending, one.world.held()]).toEqual([[], 0]);
    expect(await one.settled(one.read(1000))).toMatchObject(NOT_APPLIED);
  });
}
