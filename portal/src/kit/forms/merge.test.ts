import { describe, expect, it } from "vitest";
import { chosenOf, merge } from "./merge.ts";

describe("two changes of one object", () => {
  it("are both taken where they touch different keys", () => {
    const merged = merge({ a: 1, b: 1, c: 1 }, { a: 2, b: 1, c: 1, d: 4 }, { a: 1, c: 3, e: 5 });
    expect(merged).toEqual({ value: { a: 2, c: 3, d: 4, e: 5 }, conflicts: [] });
  });

  it("agree where they have done the same", () => {
    expect(merge({ a: 1, b: 1 }, { a: 2 }, { a: 2 })).toEqual({ value: { a: 2 }, conflicts: [] });
    expect(merge({}, { a: [{ x: 1, y: 2 }] }, { a: [{ y: 2, x: 1 }] }).conflicts).toEqual([]);
  });

  it("are brought together inside of objects within objects", () => {
    const base = { place: { floor: 1, room: "hall" } };
    const merged = merge(base, { place: { floor: 2, room: "hall" } }, { place: { floor: 1, room: "attic" } });
    expect(merged).toEqual({ value: { place: { floor: 2, room: "attic" } }, conflicts: [] });
    expect(merge({}, { a: { x: 1 } }, { a: { y: 2 } })).toEqual({ value: { a: { x: 1, y: 2 } }, conflicts: [] });
  });

  it("are a conflict where both changed one value, and mine stands until the user chooses", () => {
    const sides = [
      { a: { n: 1 }, b: [1] },
      { a: { n: 2 }, b: [1, 2] },
      { a: { n: 3 }, b: [] },
    ] as const;
    const { value, conflicts } = merge(...sides);
    expect(value).toEqual({ a: { n: 2 }, b: [1, 2] });
    expect(conflicts).toEqual([
      { path: ["a", "n"], base: 1, mine: 2, theirs: 3 },
      { path: ["b"], base: [1], mine: [1, 2], theirs: [] },
    ]);
    const made = conflicts.slice(0, 1).map((conflict) => ({ conflict, side: "theirs" as const }));
    const chosen = merge(...sides, chosenOf(made));
    expect(chosen).toEqual({ value: { a: { n: 3 }, b: [1, 2] }, conflicts: conflicts.slice(1) });
    // Theirs has changed once more: the choice was of something else.
    expect(merge(sides[0], sides[1], { a: { n: 4 }, b: [1] }, chosenOf(made)).conflicts).toHaveLength(1);
  });

  it("are a conflict where one has taken away what the other has changed", () => {
    const { value, conflicts } = merge({ a: 1 }, {}, { a: 2 });
    expect(conflicts).toEqual([{ path: ["a"], base: 1, mine: undefined, theirs: 2 }]);
    expect(value).toEqual({});
    expect(merge({ a: 1 }, {}, { a: 2 }, () => "theirs").value).toEqual({ a: 2 });
  });

  it("treat __proto__, constructor and the empty key as any other", () => {
    const base = JSON.parse('{"__proto__": {"x": 1}}');
    const mine = JSON.parse('{"__proto__": {"x": 2}, "constructor": 1}');
    const theirs = JSON.parse('{"__proto__": {"x": 1, "y": 3}, "": 4}');
    const { value, conflicts } = merge(base, mine, theirs);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":2,"y":3},"constructor":1,"":4}');
    expect(conflicts).toEqual([]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn({}, "x")).toBe(false);
  });

  it("see no key where there is only a prototype's", () => {
    const { conflicts } = merge({}, { toString: 1 }, { valueOf: 2 });
    expect(conflicts).toEqual([]);
    expect(merge({}, JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 2}')).conflicts).toEqual([
      { path: ["__proto__"], base: undefined, mine: 1, theirs: 2 },
    ]);
  });
});
