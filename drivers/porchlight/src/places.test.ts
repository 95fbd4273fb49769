import { expect, test } from "vitest";
import { changeSeating, firstSeating } from "./node-devices.ts";

const [HUB, A, B, C] = ["02-00-00-00-00-01", "02-00-00-00-00-0A", "02-00-00-00-00-0B", "02-00-00-00-00-0C"];

test("null entries, duplicates and the hub itself have no place", () => {
  expect([...firstSeating([A, null, HUB, A, B], HUB).seats]).toEqual([
    [0, A],
    [4, B],
  ]);
});

test("who left and who came is reported by place", () => {
  expect(changeSeating(firstSeating([A, B], HUB), [null, B, C], HUB)).toMatchObject({
    left: [{ place: 0, edgeId: A }],
    came: [{ place: 2, edgeId: C }],
  });
});

test("a shorter list is a list in which the rest has left", () => {
  expect(changeSeating(firstSeating([A, B], HUB), [A], HUB)).toMatchObject({
    left: [{ place: 1, edgeId: B }],
    came: [],
  });
});

test("a device that comes back to its old place has come", () => {
  const gone = changeSeating(firstSeating([A, B], HUB), [null, B], HUB);
  if (gone.kind !== "changed") throw new Error("it contradicts nothing");
  expect(changeSeating(gone.seating, [A, B], HUB)).toMatchObject({ left: [], came: [{ place: 0, edgeId: A }] });
});

test("a place that was left is never another device's within the boot", () => {
  const gone = changeSeating(firstSeating([A, B], HUB), [null, B], HUB);
  if (gone.kind !== "changed") throw new Error("it contradicts nothing");
  expect(changeSeating(gone.seating, [C, B], HUB)).toEqual({ kind: "contradiction", place: 0 });
});
