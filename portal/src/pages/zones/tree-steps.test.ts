import { describe, expect, it } from "vitest";
import type { ForestRow } from "./forest.ts";
import { stepOf } from "./tree-moves.ts";

const row = (key: string, level: number, count = 0, isOpen = false): ForestRow => ({
  key,
  id: key,
  kind: count > 0 ? "zone" : "device",
  level,
  parent: undefined,
  count,
  isOpen,
});
const rows = [row("house", 1, 2, true), row("house/ground", 2, 3), row("house/lamp", 2), row("attic", 1)];

describe("the keyboard in the tree", () => {
  it.each([
    ["ArrowDown", "house/lamp", { focus: "attic" }],
    ["ArrowDown", "attic", { focus: "attic" }],
    ["ArrowDown", undefined, { focus: "house" }],
    ["ArrowUp", "house", { focus: "house" }],
    ["Home", "attic", { focus: "house" }],
    ["End", "house", { focus: "attic" }],
    ["ArrowRight", "house/ground", { toggle: "house/ground" }],
    ["ArrowRight", "house", { focus: "house/ground" }],
    ["ArrowRight", "attic", undefined],
    ["ArrowLeft", "house", { toggle: "house" }],
    ["ArrowLeft", "house/lamp", { focus: "house" }],
    ["ArrowLeft", "attic", undefined],
    ["x", "attic", undefined],
  ])("%s on %s", (key, at, step) => expect(stepOf(rows, at, key)).toEqual(step));

  it("leads nowhere in an empty tree", () => expect(stepOf([], undefined, "End")).toBeUndefined());
});
