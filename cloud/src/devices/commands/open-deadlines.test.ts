import { expect, it } from "vitest";
import { OpenDeadlines } from "./recover-commands.ts";

it("a deadline holds until it has passed, or the end of its command is known", () => {
  const deadlines = new OpenDeadlines();
  deadlines.set("one", 100, 0);
  deadlines.set("two", 200, 0);
  deadlines.set("late", 50, 60);
  expect([deadlines.get("one", 99), deadlines.get("one", 100), deadlines.get("late", 60)]).toEqual([
    ...[100, undefined, undefined],
  ]);
  deadlines.forget("two");
  expect(deadlines.get("two", 0)).toBeUndefined();
});

it("deadlines that have passed are forgotten, and looked for seldom: 30,000 commands cost a few comparisons each", () => {
  const deadlines = new OpenDeadlines();
  let compared = 0;
  // A time that counts how often it is compared.
  const count = () => {
    compared += 1;
    return 0;
  };
  const now = { valueOf: count } as unknown as number;
  for (let n = 0; n < 30_000; n += 1) deadlines.set(`open ${n}`, 1_000, now);
  expect(deadlines.size).toBe(30_000);
  expect(compared).toBeLessThan(30_000 * 4);
  for (let n = 0; n < 60_000; n += 1) deadlines.set(`later ${n}`, 3_000, 2_000);
  expect(deadlines.size).toBe(60_000);
});
