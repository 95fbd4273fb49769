import { expect, test } from "vitest";
import { RecentMap } from "./recent-map.ts";

test("what is used goes on being known, whatever else comes; what is not is forgotten", () => {
  const map = new RecentMap<object>(10);
  const kept = map.get("kept", () => ({}));
  const left = map.get("left", () => ({}));
  for (let n = 0; n < 1_000; n++) {
    map.get(`other ${n}`, () => ({}));
    if (n % 5 === 0) expect(map.get("kept", () => ({}))).toBe(kept);
    expect(map.size).toBeLessThanOrEqual(20);
  }
  expect(map.get("left", () => ({}))).not.toBe(left);
});
