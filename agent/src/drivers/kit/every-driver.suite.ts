/** What every driver owes to its host and its callers, in any protocol: one suite that each driver must pass. */
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { absenceIsBorne } from "./absence.suite.ts";
import { descriptionsAreSound } from "./descriptions.suite.ts";
import type { Attempt, Driver } from "./driver.ts";
import type { FakeHost } from "./fake-host.fixture.ts";
import { outcomesAreTrue } from "./outcomes.suite.ts";

/** A driver with one device behind it, and the hands to play with it. */
export interface DriverUnderTest extends AsyncDisposable {
  readonly driver: Driver;
  readonly host: FakeHost;
  readonly device: string;
  /** A boolean that can be read and written. */
  readonly property: PropertyAddress;
  /** How often the device has been told to change it. */
  touched(): number;
  /** The device answers no more, and answers again. */
  silence(): void;
  speak(): void;
  /** The line is cut, and mended. */
  cut(): void;
  mend(): void;
  /** The device changes by its own doing. */
  change(value: Value): void;
  attempt(ms: number, mayTouch?: () => boolean): Attempt;
  /** Lets time pass until `promise` is settled; without one, until all is quiet. */
  settled<T>(promise?: Promise<T>): Promise<T | undefined>;
  /** Lets so long pass, ms. */
  pass(ms: number): Promise<void>;
  /** Timers that are waiting. */
  pending(): readonly string[];
}

export function everyDriver(name: string, start: () => Promise<DriverUnderTest>): void {
  describe(`the driver for ${name}`, () => {
    test("tells its host of a device that is described, with how it is reached and the hub's own Identify", async () => {
      await using one = await start();
      const [arrival] = one.host.arrivals;
      expect(arrival?.edgeId).toBe(one.device);
      expect(arrival?.transport).not.toBe("");
      expect(arrival?.description.some(({ service }) => service === "Identify")).toBe(true);
      expect(one.driver.has(one.device)).toBe(true);
    });

    test("says that the line is open, by the name under which the device is then reached, before the device arrives", async () => {
      await using one = await start();
      const { story, arrivals } = one.host;
      const opened = story.indexOf(`opened ${arrivals[0]?.transport}`);
      expect(opened).toBeGreaterThanOrEqual(0);
      expect(opened).toBeLessThan(story.indexOf(`arrived ${one.device}`));
    });

    test("has read the device by itself before long", async () => {
      await using one = await start();
      const { service, property } = one.property;
      expect(one.host.learnings.some((each) => each.service === service && each.property === property)).toBe(true);
    });

    test("answers a write with what the device says, and a read with what it has become", async () => {
      await using one = await start();
      for (const value of [true, false, true]) {
        const written = one.driver.write(one.device, one.property, value, one.attempt(5000));
        expect(await one.settled(written)).toEqual({ kind: "value", value });
        const read = one.driver.read(one.device, one.property, one.attempt(5000));
        expect(await one.settled(read)).toEqual({ kind: "value", value });
      }
      expect(one.touched()).toBe(3);
    });

    test("touches nothing past the deadline or without permission", async () => {
      await using one = await start();
      const late = one.driver.write(one.device, one.property, true, one.attempt(0));
      expect(await one.settled(late)).toMatchObject({ kind: "failed", outcome: "not_applied" });
      const forbidden = one.driver.write(
        one.device,
        one.property,
        true,
        one.attempt(5000, () => false),
      );
      expect(await one.settled(forbidden)).toMatchObject({ kind: "failed", outcome: "not_applied" });
      expect(one.touched()).toBe(0);
    });

    test("says of a device that does not answer that the outcome is unknown", async () => {
      await using one = await start();
      one.silence();
      const result = await one.settled(one.driver.write(one.device, one.property, true, one.attempt(3000)));
      expect(result).toMatchObject({ kind: "failed", name: "Device Unreachable", outcome: "unknown" });
    });

    test("hears what the device does by itself", async () => {
      await using one = await start();
      one.change(true);
      await one.settled();
      expect(one.host.reports.at(-1)?.report).toMatchObject({ device: one.device, ...one.property, value: true });
    });

    test("says at once that a device is gone with its line, and finds it again", async () => {
      await using one = await start();
      one.cut();
      await one.settled();
      expect(one.driver.has(one.device)).toBe(false);
      expect(one.host.live.has(one.device)).toBe(false);
      const result = await one.settled(one.driver.write(one.device, one.property, true, one.attempt(1000)));
      expect(result).toMatchObject({ kind: "failed", outcome: "not_applied" });
      one.mend();
      await one.settled(one.host.told(`arrived ${one.device}`, 2));
      expect(one.driver.has(one.device)).toBe(true);
    });

    test("never throws for a device or property that it does not have", async () => {
      await using one = await start();
      const nobody = one.driver.read("02-00-00-FF-FF-FF", one.property, one.attempt(1000));
      expect(await one.settled(nobody)).toMatchObject({ kind: "failed", outcome: "not_applied" });
      const nothing = { service: "NoSuchService", index: "0", property: "none" };
      const none = one.driver.read(one.device, nothing, one.attempt(1000));
      expect(await one.settled(none)).toMatchObject({ kind: "failed" });
    });

    test("ends twice as well as once: its devices leave, what is in flight ends, and no timer stays", async () => {
      const one = await start();
      one.silence();
      const inFlight = one.driver.write(one.device, one.property, true, one.attempt(60_000));
      await one.settled();
      await Promise.all([one.driver[Symbol.asyncDispose](), one.driver[Symbol.asyncDispose]()]);
      expect(await one.settled(inFlight)).toMatchObject({ kind: "failed", outcome: "unknown" });
      expect(one.host.live.size).toBe(0);
      expect(one.pending()).toEqual([]);
      expect(await one.driver.read(one.device, one.property, one.attempt(1000))).toMatchObject({
        outcome: "not_applied",
      });
    });

    descriptionsAreSound(start);
    outcomesAreTrue(start);
    absenceIsBorne(start);
  });
}
