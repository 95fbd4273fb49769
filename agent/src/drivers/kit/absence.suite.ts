/** An hour without its line costs a driver nothing but its devices: it tries less and less often, and is back soon after. */
import { expect, test } from "vitest";
import type { DriverUnderTest } from "./every-driver.suite.ts";

const HOUR_MS = 3_600_000;
const BACK_MS = 120_000;
/** Timers of one driver with one device. */
const MOST_TIMERS = 20;

export function absenceIsBorne(start: () => Promise<DriverUnderTest>): void {
  test("bears an hour without its line: no timers pile up, and its device is back within two minutes", async () => {
    await using one = await start();
    one.cut();
    await one.pass(HOUR_MS);
    expect(one.driver.has(one.device)).toBe(false);
    expect(one.pending().length).toBeLessThanOrEqual(MOST_TIMERS);
    one.mend();
    await one.pass(BACK_MS);
    expect(one.driver.has(one.device)).toBe(true);
    expect(await one.settled(one.driver.write(one.device, one.property, true, one.attempt(5000)))).toMatchObject({
      kind: "value",
    });
  });
}
