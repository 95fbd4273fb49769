/** What of the machine's wall clock reaches an undisturbed one. */
import { expect, test } from "vitest";
import { undisturbedClock } from "./clock.ts";
import { VirtualClock } from "./virtual-clock.ts";

const NOW = 1_795_737_600_000;

test.each([3_600_000, -3_600_000, 20 * 365 * 86_400_000, -NOW])(
  "a jump of the wall clock by %d ms does not reach it",
  async (ms) => {
    const clock = new VirtualClock(NOW);
    const undisturbed = undisturbedClock(clock);
    await clock.advance(500);
    clock.jumpWall(ms);
    await clock.advance(500);
    expect(undisturbed.now()).toBe(NOW + 1000);
  },
);

test("one that was not set is taken to be as old as the first release: certificates need a date", async () => {
  const clock = new VirtualClock(60_000);
  const undisturbed = undisturbedClock(clock);
  await clock.advance(1000);
  expect(new Date(undisturbed.now()).toISOString()).toBe("2026-01-01T00:00:01.000Z");
});
