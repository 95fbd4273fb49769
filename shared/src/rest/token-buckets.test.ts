import { describe, expect, it } from "vitest";
import { TokenBuckets } from "./rate-limits.ts";

const RULE = { perSecond: 2, burst: 4 };

describe("a bucket", () => {
  it("lets its burst through at once, and then as much as flows in", () => {
    const buckets = new TokenBuckets(RULE);
    const admitted = [0, 0, 0, 0, 0, 499, 500, 501, 1000, 10_000].map((now) => buckets.take("a", now).admitted);
    expect(admitted).toEqual([true, true, true, true, false, false, true, false, true, true]);
  });

  it("says what is left, when it is full again and when to come back", () => {
    const buckets = new TokenBuckets(RULE);
    expect(buckets.take("a", 0)).toEqual({ admitted: true, remaining: 3, fullIn: 0.5, retryAfter: 1 });
    for (let n = 0; n < 3; n++) buckets.take("a", 0);
    expect(buckets.take("a", 250)).toEqual({ admitted: false, remaining: 0, fullIn: 1.75, retryAfter: 1 });
    const slow = new TokenBuckets({ perSecond: 10 / 60, burst: 1 });
    slow.take("a", 0);
    expect(slow.take("a", 0)).toMatchObject({ admitted: false, retryAfter: 6 });
  });

  it("never holds more than its burst, however long no request comes", () => {
    const buckets = new TokenBuckets(RULE);
    buckets.take("a", 0);
    expect(buckets.take("a", 1e9).remaining).toBe(3);
  });

  it("is each key's own", () => {
    const buckets = new TokenBuckets({ perSecond: 1, burst: 1 });
    expect([buckets.take("a", 0), buckets.take("b", 0), buckets.take("a", 0)].map((each) => each.admitted)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("a full bucket", () => {
  it("is forgotten, and one that is not is kept as it is", () => {
    const buckets = new TokenBuckets(RULE);
    buckets.take("a", 0);
    for (let n = 0; n < 4; n++) buckets.take("b", 0);
    buckets.forgetFull(499);
    expect(buckets.size).toBe(2);
    buckets.forgetFull(500);
    expect(buckets.size).toBe(1);
    expect(buckets.take("b", 500).remaining).toBe(0);
  });
});

describe("a flood of keys", () => {
  it("takes no more memory than there is for it, and frees no address that keeps asking", () => {
    const buckets = new TokenBuckets({ perSecond: 0.001, burst: 1 }, 100);
    buckets.take("a", 0);
    for (let n = 0; n < 10_000; n++) {
      buckets.take(`other ${n}`, n / 1000);
      if (n % 50 === 0) expect(buckets.take("a", n / 1000).admitted).toBe(false);
    }
    expect(buckets.size).toBeLessThanOrEqual(200);
  });
});
