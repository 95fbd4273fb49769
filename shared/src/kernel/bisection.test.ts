/** Every good record is worked on once and in order, every bad one stands alone, whichever they are. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { Bisection } from "./collections.ts";

/** Every good record is worked on once and in order, every bad one stands alone, whichever they are. */
function bisected(batch: readonly number[], isBad: (record: number) => boolean) {
  const [done, aside]: [number[], number[]] = [[], []];
  let tries = 0;
  const bisection = new Bisection(batch);
  for (let part = bisection.next(); part !== undefined; part = bisection.next()) {
    tries += 1;
    if (part.some(isBad)) aside.push(...bisection.refused(part));
    else done.push(...part);
  }
  return { done, aside, tries };
}

it("works on each good record once and in order, and sets each bad one aside", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (bad) => {
      const batch = bad.map((_, at) => at);
      const { done, aside } = bisected(batch, (at) => bad[at] === true);
      expect(done).toEqual(batch.filter((at) => !bad[at]));
      expect(aside).toEqual(batch.filter((at) => bad[at]));
    }),
  );
});

it("tries a batch without a bad record once, and one with a single one a few times", () => {
  const batch = Array.from({ length: 512 }, (_, at) => at);
  expect(bisected(batch, () => false).tries).toBe(1);
  expect(bisected(batch, (at) => at === 137).tries).toBe(1 + 2 * Math.log2(512));
});
