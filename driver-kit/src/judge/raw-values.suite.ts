/** The group of raw values: every value of a device is read as what it means, or as no value, and never leaves the old value. */
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import { given, type JudgeOptions, type OpenWorld, RAW_KINDS } from "./world.suite.ts";

/** Time in which a value that was sent reaches the hub, ms. */
const SOON_MS = 2000;

export function judgeRawValues(open: OpenWorld, options: JudgeOptions): void {
  test("has a case of every spelling that its protocol can carry", async () => {
    await using one = await Trial.begin(open, options);
    const { cases, cannot } = given(one.world.rawValues, "raw values");
    const missing = RAW_KINDS.filter((kind) => cannot[kind] === undefined && !cases.some((each) => each.kind === kind));
    expect(missing).toEqual([]);
    expect(Object.entries(cannot).filter(([, why]) => why.trim() === "")).toEqual([]);
  });

  test("reads every spelling as the value that it means or as none, and never keeps the value before", async () => {
    await using one = await Trial.begin(open, options);
    const { device, rawValues } = one.world;
    const wrong: string[] = [];
    for (const { kind, raw, property, before, sendBefore, value, send } of given(rawValues, "raw values").cases) {
      sendBefore();
      await one.clock.advance(SOON_MS);
      expect(one.host.valueOf(device, property), `${kind}: the value before ${raw}`).toEqual(before);
      send();
      await one.clock.advance(SOON_MS);
      const now = one.host.valueOf(device, property);
      const isRight =
        typeof now === "number" && typeof value === "number" ? Math.abs(now - value) < 1e-6 : now === value;
      if (!isRight) wrong.push(`${kind}: ${raw} is ${JSON.stringify(value)}; the driver made ${JSON.stringify(now)}`);
    }
    expect(wrong).toEqual([]);
  });
}
