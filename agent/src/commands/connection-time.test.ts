import { describe, expect, test } from "vitest";
import { heard, NOTHING_HEARD, toMonotonic } from "./connection-time.ts";

describe("connection time", () => {
  test("a deadline is mapped by the frame that was the least held up", () => {
    // The hub's clock runs 1,000 ms ahead; frames take 40, 5 and 90 ms.
    const time = [
      { at: 0, arrived: 1040 },
      { at: 500, arrived: 1505 },
      { at: 700, arrived: 1790 },
    ].reduce((known, frame) => heard(known, frame.at, frame.arrived), NOTHING_HEARD);
    expect(toMonotonic(time, 2000)).toBe(3005);
  });

  test("an agent that stood still for 20 s finds the deadline of what waited for it past", () => {
    const before = heard(NOTHING_HEARD, 100, 1105);
    const after = heard(before, 200, 21_205);
    expect(toMonotonic(after, 200 + 10_000)).toBeLessThan(21_205);
  });

  test("an agent that stood still while its welcome and a command came does not take the standstill for the network", () => {
    // Asked at 1,000, answered at once; it wakes 12 s later and finds the welcome and a command of 3 s at once.
    const time = heard(heard(NOTHING_HEARD, 0, 13_000, 1000), 2000, 13_000);
    expect(toMonotonic(time, 2000 + 3000)).toBeLessThan(13_000);
  });

  test("a heartbeat that is answered soon shows that a connection began later than its first ask", () => {
    // The hello was held up for 8 s on its way; the heartbeat at 14,000 is answered within 20 ms.
    const welcomed = heard(NOTHING_HEARD, 0, 9010, 1000);
    const beaten = heard(welcomed, 5005, 14_020, 14_000);
    expect(toMonotonic(beaten, 0)).toBeGreaterThan(8990);
    expect(toMonotonic(beaten, 0)).toBeLessThanOrEqual(9010);
  });
});
