import { VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { ClockTrust } from "./scene-triggers.ts";

const NOW = 1_780_272_000_000;
/** The last moment of 2025. */
const EARLIER = 1_767_225_599_999;

test.for([
  ["system", true, false, NOW, true, "the cloud has sent the time, and the machine agrees"],
  ["cloud", true, false, NOW, true, "the cloud has sent the time, and the machine does not agree"],
  ["guessed", false, true, NOW, false, "the machine is earlier than a time that has been"],
  ["system", false, true, NOW, true, "the machine's clock was set"],
  ["system", false, false, NOW, false, "the machine has just been switched on, without a battery"],
  ["system", false, undefined, NOW, true, "of the machine's clock nothing can be known"],
  ["system", false, undefined, 0, false, "a time before this program"],
  ["system", true, true, EARLIER, false, "a time before this program, from any source"],
] as const)(
  "a clock of source %s, set by the cloud %s, machine set %s, at %i is set: %s (%s)",
  ([source, isSetByCloud, machine, now, isSet]) => {
    const known = () => ({ source, isSetByCloud });
    const trust = new ClockTrust({ clock: new VirtualClock(now), known, isMachineClockSet: () => machine });
    expect(trust.isSet).toBe(isSet);
  },
);

test("a machine whose clock was set once is asked no more", () => {
  let asked = 0;
  const isMachineClockSet = () => ++asked === 2;
  const known = () => ({ source: "system", isSetByCloud: false }) as const;
  const trust = new ClockTrust({ clock: new VirtualClock(NOW), known, isMachineClockSet });
  expect([trust.isSet, trust.isSet, trust.isSet, asked]).toEqual([false, true, true, 2]);
});
