import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeNesting, MOST_LEVELS, type Nesting } from "./zone-items.ts";

/** "a>b b>c" */
const nestings = (text: string): Nesting[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((each) => each.split(">"))
    .map(([zone_id = "", item_id = ""]) => ({ zone_id, item_id }));
const chain = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `${from + at}>${from + at + 1}`).join(" ");

describe("a zone", () => {
  it.each([
    ["stands in another", "", "a", "b", "good"],
    ["does not contain itself", "", "a", "a", "circle"],
    ["does not contain what contains it", "b>a", "a", "b", "circle"],
    ["does not contain itself however deep", "b>c c>d d>a", "a", "b", "circle"],
    ["may stand in several", "x>b y>b", "a", "b", "good"],
    ["may be reached on two ways", "b>d c>d", "a", "b c", "good"],
    ["may get back what it had", "a>b b>c", "a", "b", "good"],
    ["is free of what it had", "a>b b>c", "c", "", "good"],
    ["may contain what it did not any more", "a>b", "a", "", "good"],
    ["may be the outermost of 16", chain(2, 16), "1", "2", "good"],
    ["may not be the outermost of 17", chain(2, 17), "1", "2", "too deep"],
    ["may be the innermost of 16", chain(1, 15), "15", "16", "good"],
    ["may not join 9 levels and 8", `${chain(1, 9)} ${chain(10, 17)}`, "9", "10", "too deep"],
    ["counts the longest way", `1>9 ${chain(1, 15)} 9>15`, "15", "16", "good"],
    ["counts the longest way even so", `1>9 ${chain(1, 16)} 9>16`, "16", "17", "too deep"],
  ])("%s", (_title, standing, zone, inner, verdict) => {
    expect(judgeNesting(nestings(standing), zone, inner.split(" ").filter(Boolean))).toBe(verdict);
  });

  it("is judged as a walk over all ways would judge it", () => {
    const edge = fc.tuple(fc.nat(8), fc.nat(8));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), fc.nat(8), fc.uniqueArray(fc.nat(8)), (edges, zone, inner) => {
        // Larger within smaller: free of circles.
        const standing = edges.filter(([a, b]) => a < b).map(([a, b]) => ({ zone_id: String(a), item_id: String(b) }));
        const after = [
          ...standing.filter(({ zone_id }) => zone_id !== String(zone)),
          ...inner.map((item) => ({ zone_id: String(zone), item_id: String(item) })),
        ];
        const comesBack = (at: string, left: number): boolean =>
          left > 0 &&
          after.some(
            ({ zone_id, item_id }) => zone_id === at && (item_id === String(zone) || comesBack(item_id, left - 1)),
          );
        expect(judgeNesting(standing, String(zone), inner.map(String))).toBe(
          comesBack(String(zone), 10) ? "circle" : "good",
        );
      }),
    );
    expect(MOST_LEVELS).toBe(16);
  });
});
