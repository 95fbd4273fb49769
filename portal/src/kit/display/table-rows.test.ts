/** The order of a table's rows. */
import { expect, test } from "vitest";
import { inverted, sorted } from "./table-rows.ts";

const columns = [
  { name: "Name", sortBy: ({ name }: { name: string; size?: number }) => name },
  { name: "Size", sortBy: ({ size }: { name: string; size?: number }) => size },
  { name: "Plain" },
];
const rows = [{ name: "lamp 10" }, { name: "Lamp 9", size: 3 }, { name: "door", size: 20 }];
const names = (by?: string, isDescending = false) =>
  sorted(rows, columns, by === undefined ? undefined : { by, isDescending }).map(({ name }) => name);

test("sorts by numbers within texts, and ignores case", () => {
  expect(names("Name")).toEqual(["door", "Lamp 9", "lamp 10"]);
  expect(names("Name", true)).toEqual(["lamp 10", "Lamp 9", "door"]);
});

test("has what is not known last, either way", () => {
  expect(names("Size")).toEqual(["Lamp 9", "door", "lamp 10"]);
  expect(names("Size", true)).toEqual(["door", "Lamp 9", "lamp 10"]);
});

test("is as it comes without a column to sort by", () => {
  expect([names(), names("Plain"), names("constructor")]).toEqual(Array(3).fill(rows.map(({ name }) => name)));
});

test("what is turned round is selected, or no longer", () => {
  expect([...inverted(new Set(["a", "b"]), ["b", "c"])]).toEqual(["a", "c"]);
});
