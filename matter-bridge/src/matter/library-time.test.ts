/** What of the machine's wall clock reaches the library. */
import { Time } from "@matter/main";
import { VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, expect, test } from "vitest";
import { setLibraryTime } from "./library-time.ts";

const before = Time.default;
afterEach(() => {
  Time.default = before;
});
const NOW = 1_795_737_600_000;

test.each([3_600_000, -3_600_000, 20 * 365 * 86_400_000, -NOW])(
  "a jump of the wall clock by %d ms does not reach the library",
  async (ms) => {
    const clock = new VirtualClock(NOW);
    setLibraryTime(clock);
    await clock.advance(500);
    clock.jumpWall(ms);
    await clock.advance(500);
    expect([Time.nowMs, Time.now.getTime()]).toEqual([NOW + 1000, NOW + 1000]);
  },
);

test("a clock that was not set is taken to be as old as the first release: certificates need a date", async () => {
  const clock = new VirtualClock(60_000);
  setLibraryTime(clock);
  await clock.advance(1000);
  expect(Time.now.toISOString()).toBe("2026-01-01T00:00:01.000Z");
});
