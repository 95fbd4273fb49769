import { expect, test } from "vitest";
import { reportBucket } from "../session.ts";

/** How many of `count` reports pass that come `everyMs` apart. */
function passed(count: number, everyMs: number): number {
  const bucket = reportBucket(0);
  let through = 0;
  for (let at = 0; at < count; at++) if (bucket.take(at * everyMs)) through += 1;
  return through;
}

test("200 reports at once pass, and no more", () => {
  expect(passed(1000, 0)).toBe(200);
});

test("50 a second pass for ever", () => {
  expect(passed(10_000, 20)).toBe(10_000);
});

test("of 100 a second, half pass once the burst is used up", () => {
  expect(passed(10_000, 10)).toBeGreaterThanOrEqual(5190);
  expect(passed(10_000, 10)).toBeLessThanOrEqual(5210);
});

test("a link that was quiet for a day may make 200 at once, and no more", () => {
  const bucket = reportBucket(0);
  bucket.take(0);
  let through = 0;
  while (bucket.take(86_400_000)) through += 1;
  expect(through).toBe(200);
});
