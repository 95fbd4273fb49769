/** What a token bucket lets through, and when. */
import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

/** What a token bucket lets through, and when. */
const RULE = { perSecond: 2, burst: 4 };

test.for<[string, readonly [at: number, taken: boolean][]]>([
  [
    "lets its burst through at once, and no more",
    [
      [0, true],
      [0, true],
      [0, true],
      [0, true],
      [0, false],
    ],
  ],
  [
    "lets one through when a whole token is there",
    [
      [0, true],
      [0, true],
      [0, true],
      [0, true],
      [499, false],
      [500, true],
      [501, false],
    ],
  ],
  [
    "loses nothing by a refusal",
    [
      [0, true],
      [0, true],
      [0, true],
      [0, true],
      [250, false],
      [500, true],
    ],
  ],
  [
    "holds no more than its burst after a long time",
    [
      [1e9, true],
      [1e9, true],
      [1e9, true],
      [1e9, true],
      [1e9, false],
    ],
  ],
])("a bucket %s", ([, steps]) => {
  const bucket = new TokenBucket(RULE, 0);
  expect(steps.map(([at]) => [at, bucket.take(at)])).toEqual(steps);
});

test.for<[spent: number, at: number, level: number, waitMs: number]>([
  [0, 0, 4, 0],
  [3, 0, 1, 0],
  [4, 0, 0, 500],
  [4, 400, 0.8, 100],
  [10, 0, -6, 3500],
  [10, 3000, 0, 500],
  [-3, 0, 4, 0],
])("after %d is spent at 0, there is at %d ms %d, and one token after %d ms", ([spent, at, level, waitMs]) => {
  const bucket = new TokenBucket(RULE, 0);
  bucket.spend(spent, 0);
  expect(bucket.waitFor(1, at)).toBeCloseTo(waitMs);
  expect(bucket.level(at)).toBeCloseTo(level);
});
