/** What a bounded map keeps, and what it evicts. */
import { expect, test } from "vitest";
import { BoundedMap } from "./collections.ts";

/** What a bounded map keeps, and what it evicts. */
type Step = readonly ["set" | "use" | "delete", string];

test.for<[string, readonly Step[], string, string]>([
  [
    "keeps as many as it has room for",
    [
      ["set", "a"],
      ["set", "b"],
      ["set", "c"],
    ],
    "abc",
    "",
  ],
  [
    "evicts the oldest when one more comes",
    [
      ["set", "a"],
      ["set", "b"],
      ["set", "c"],
      ["set", "d"],
    ],
    "bcd",
    "a",
  ],
  [
    "evicts nothing for a key that it knows",
    [
      ["set", "a"],
      ["set", "b"],
      ["set", "c"],
      ["set", "c"],
    ],
    "abc",
    "",
  ],
  [
    "counts a key that is set again as the newest",
    [
      ["set", "a"],
      ["set", "b"],
      ["set", "c"],
      ["set", "a"],
      ["set", "d"],
    ],
    "cad",
    "b",
  ],
  [
    "keeps the age of a key that is only read",
    [
      ["set", "a"],
      ["set", "b"],
      ["set", "c"],
      ["use", "a"],
      ["set", "d"],
    ],
    "bcd",
    "a",
  ],
  [
    "has room again for what was deleted",
    [
      ["set", "a"],
      ["set", "b"],
      ["set", "c"],
      ["delete", "b"],
      ["set", "d"],
    ],
    "acd",
    "",
  ],
])("%s", ([, steps, left, evicted]) => {
  const gone: string[] = [];
  const map = new BoundedMap<string, string>(3, (key, value) => gone.push(`${key}${value}`));
  for (const [step, key] of steps) {
    if (step === "set") map.set(key, key.toUpperCase());
    else if (step === "use") expect(map.get(key)).toBe(key.toUpperCase());
    else map.delete(key);
  }
  expect([...map].map(([key]) => key).join("")).toBe(left);
  expect(gone.join("")).toBe([...evicted].map((key) => key + key.toUpperCase()).join(""));
});

test("is empty once it is cleared, and takes keys again", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.clear();
  expect([map.size, map.has("a"), [...map]]).toEqual([0, false, []]);
  for (const [at, key] of ["c", "d", "e"].entries()) map.set(key, at);
  expect([...map]).toEqual([
    ["d", 1],
    ["e", 2],
  ]);
});

test("an entry may be deleted while it is looked at", () => {
  const map = new BoundedMap<string, number>(5);
  for (const [at, key] of [..."abcde"].entries()) map.set(key, at);
  for (const [key, value] of map) if (value % 2 === 0) map.delete(key);
  expect([...map]).toEqual([
    ["b", 1],
    ["d", 3],
  ]);
});

test("a flood of keys leaves the newest, and no more of them than the capacity", () => {
  const map = new BoundedMap<number, object>(10);
  for (let n = 0; n < 1_000; n++) {
    map.set(n, {});
    expect(map.size).toBeLessThanOrEqual(10);
  }
  expect([...map].map(([key]) => key)).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999]);
});

test("a key that is set again at each use stays in any flood; another is evicted", () => {
  const map = new BoundedMap<string, object>(20);
  const kept = {};
  map.set("kept", kept);
  map.set("left", {});
  for (let n = 0; n < 1_000; n++) {
    map.set(`other ${n}`, {});
    if (n % 5 === 0) map.set("kept", map.get("kept") ?? {});
    expect(map.size).toBeLessThanOrEqual(20);
  }
  expect(map.get("kept")).toBe(kept);
  expect(map.has("left")).toBe(false);
});
