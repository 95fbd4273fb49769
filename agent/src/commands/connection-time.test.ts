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
});
