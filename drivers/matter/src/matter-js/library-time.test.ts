/** Whether the library takes the time that it is given. */

import { Time } from "@matter/main";
import { VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, expect, test } from "vitest";
import { setLibraryTime } from "./library-time.ts";

const before = Time.default;
afterEach(() => {
  Time.default = before;
});
const NOW = 1_795_737_600_000;

test("the library has a clock that a jump of the machine's does not move", async () => {
  const clock = new VirtualClock(NOW);
  setLibraryTime(clock);
  clock.jumpWall(-NOW);
  await clock.advance(500);
  expect([Time.nowMs, Time.now.getTime()]).toEqual([NOW + 500, NOW + 500]);
});
