import type { Device, Zone } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import { A_LOT, devicesWithin, FREE, forestOf, foundRows, openAtFirst, rowsOf } from "./forest.ts";

const zone = (id: string, ...items: string[]) => ({ id, alias: id.toUpperCase(), meta: {}, items }) as unknown as Zone;
const device = (id: string) => ({ id, meta: {} }) as unknown as Device;
const lines = (...given: Parameters<typeof rowsOf>) =>
  rowsOf(...given).map(({ level, key, count }) => `${"  ".repeat(level - 1)}${key} ${count}`);
const none = new Map<string, number>();

const house = forestOf(
  [zone("house", "ground", "first"), zone("ground", "lamp", "door"), zone("first", "lamp"), zone("lights", "lamp")],
  ["lamp", "door", "kettle"].map(device),
);

describe("the tree of zones", () => {
  it("has at its top the zones that stand in no other, and then what stands in none", () => {
    expect(lines(house, new Set(), none)).toEqual(["house 2", "lights 1", "free 1"]);
  });

  it("shows an item in each zone that it stands in, and a zone may be open in one place only", () => {
    const open = new Set(["house", "house/first", "lights", FREE]);
    expect(lines(house, open, none)).toEqual([
      "house 2",
      "  house/ground 2",
      "  house/first 1",
      "    house/first/lamp 0",
      "lights 1",
      "  lights/lamp 0",
      "free 1",
      "  free/kettle 0",
    ]);
  });

  it("is open at first when it is small, and closed when it is large", () => {
    expect(openAtFirst(house)).toEqual([FREE, "house", "lights", "house/ground", "house/first"]);
    const items = Array.from({ length: 100 }, (_, at) => `d${at}`);
    expect(openAtFirst(forestOf([zone("all", ...items)], items.map(device)))).toEqual([FREE]);
  });

  it("shows a zone of a thousand items a part at a time", () => {
    const items = Array.from({ length: 1000 }, (_, at) => `d${at}`);
    const forest = forestOf([zone("all", ...items)], items.map(device));
    const rows = rowsOf(forest, new Set(["all"]), none);
    expect(rows).toHaveLength(1 + A_LOT + 1);
    expect(rows.at(-1)).toMatchObject({ kind: "more", count: 800 });
    expect(rowsOf(forest, new Set(["all"]), new Map([["all", 1000]]))).toHaveLength(1001);
  });

  it("is no larger than what is open of it, however many ways lead through it", () => {
    const zones = Array.from({ length: 16 }, (_, at) =>
      [`a${at}`, `b${at}`].map((id) => zone(id, ...(at < 15 ? [`a${at + 1}`, `b${at + 1}`] : []))),
    ).flat();
    const forest = forestOf(zones, []);
    expect(openAtFirst(forest)).toEqual([FREE]);
    expect(rowsOf(forest, new Set(["a0", "a0/a1"]), none)).toHaveLength(6);
    expect(devicesWithin(forest, "a0").size).toBe(0);
  });

  it("leaves out what it does not know, and never turns in a circle", () => {
    const odd = forestOf([zone("a", "b", "gone"), zone("b", "a"), zone("c", "b")], []);
    expect(lines(odd, new Set(["c", "c/b", "c/b/a"]), none)).toEqual(["c 1", "  c/b 1", "    c/b/a 1"]);
  });

  it("finds zones and devices by name and by ID, each once", () => {
    expect(foundRows(house, " LAMP ", 10).rows.map(({ id }) => id)).toEqual(["lamp"]);
    const found = foundRows(house, "o", 2);
    expect(found.rows.map(({ id, parent }) => [id, parent])).toEqual([
      ["house", undefined],
      ["ground", "house"],
    ]);
    expect(found.of).toBe(3);
  });

  it("counts a device once in a zone that contains it twice", () => {
    expect([...devicesWithin(house, "house")].sort()).toEqual(["door", "lamp"]);
  });
});
