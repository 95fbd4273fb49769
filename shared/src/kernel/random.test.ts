/** Randomness: repeatable for tests, strong for secrets. */
import { expect, test } from "vitest";
import { pick, randomInteger, seededRandom, systemRandom } from "./ids.ts";

test("a seed gives the same numbers for ever", () => {
  const random = seededRandom(42);
  expect([random.fraction(), random.fraction(), random.fraction()]).toEqual([
    0.6011037519201636, 0.44829055899754167, 0.8524657934904099,
  ]);
});

test("another seed gives other numbers", () => {
  expect(seededRandom(1).bytes(16)).not.toEqual(seededRandom(2).bytes(16));
});

test.for([
  ["seeded", seededRandom(3)],
  ["the system's", systemRandom],
] as const)("%s fractions stay in [0, 1) and spread over it", ([, random]) => {
  const buckets = new Array(10).fill(0);
  for (let draw = 0; draw < 10_000; draw++) {
    const fraction = random.fraction();
    expect(fraction >= 0 && fraction < 1).toBe(true);
    buckets[Math.floor(fraction * 10)] += 1;
  }
  expect(Math.min(...buckets)).toBeGreaterThan(800);
  expect(random.bytes(33)).toHaveLength(33);
});

test("whole numbers and choices cover everything that they may be, and nothing else", () => {
  const random = seededRandom(9);
  expect(new Set(Array.from({ length: 200 }, () => randomInteger(random, 4)))).toEqual(new Set([0, 1, 2, 3]));
  expect(new Set(Array.from({ length: 200 }, () => pick(random, ["a", "b"])))).toEqual(new Set(["a", "b"]));
});
