import { PorchlightError } from "@porchlight/sdk";
import type { Zone } from "@porchlight/shared/api";
import { describe, expect, it } from "vitest";
import type { ForestRow } from "./forest.ts";
import { changed, changesOf, edgeOf, foreseen, targetOf } from "./tree-moves.ts";
import { type ItemsOfZones, writeItems } from "./use-items.ts";

const row = (id: string, kind: ForestRow["kind"], parent?: string): ForestRow => ({
  key: id,
  id,
  kind,
  level: 1,
  parent,
  count: 0,
  isOpen: false,
});

describe("moving something from zone to zone", () => {
  it("puts it into the new zone before it takes it out of the old one", () => {
    const put = { kind: "put", zoneId: "b", item: "lamp", before: undefined };
    expect(changesOf({ id: "lamp", from: "a" }, { zoneId: "b" })).toEqual([
      put,
      { kind: "take", zoneId: "a", item: "lamp" },
    ]);
    expect(changesOf({ id: "lamp", from: undefined }, { zoneId: "b" })).toEqual([put]);
  });

  it("within one zone changes its order only, and out of all zones takes it out of one", () => {
    expect(changesOf({ id: "lamp", from: "a" }, { zoneId: "a", before: "door" })).toEqual([
      { kind: "put", zoneId: "a", item: "lamp", before: "door" },
    ]);
    expect(changesOf({ id: "lamp", from: "a" }, { zoneId: undefined })).toEqual([
      { kind: "take", zoneId: "a", item: "lamp" },
    ]);
    expect(changesOf({ id: "lamp", from: undefined }, { zoneId: undefined })).toEqual([]);
  });

  it.each([
    [["x", "y"], { kind: "put", before: undefined }, ["x", "y", "i"]],
    [["x", "y"], { kind: "put", before: "y" }, ["x", "i", "y"]],
    [["x", "y", "i"], { kind: "put", before: "x" }, ["i", "x", "y"]],
    [["x", "y"], { kind: "put", before: "gone" }, ["x", "y", "i"]],
    [["x", "i"], { kind: "take" }, ["x"]],
  ] as const)("makes %j with %j into %j", (items, change, after) => {
    expect(changed(items, { zoneId: "z", item: "i", ...change })).toEqual(after);
  });

  it.each([
    [["i", "x"], { kind: "put", before: "x" }],
    [["i", "x"], { kind: "put", before: "i" }],
    [["i", "x"], { kind: "put", before: undefined }],
    [["x"], { kind: "take" }],
  ] as const)("leaves %j as it is with %j", (items, change) => {
    expect(changed(items, { zoneId: "z", item: "i", ...change })).toBe(items);
  });

  it("is shown before the service accepts it", () => {
    const zones = [
      { id: "a", items: ["lamp", "door"] },
      { id: "b", items: [] },
    ] as unknown as Zone[];
    const after = foreseen(zones, changesOf({ id: "lamp", from: "a" }, { zoneId: "b" }));
    expect(after.map(({ items }) => items)).toEqual([["door"], ["lamp"]]);
  });
});

it("is not shown where a zone would come to contain itself", () => {
  const zones = [
    { id: "house", items: ["floor"] },
    { id: "floor", items: ["room"] },
    { id: "room", items: [] },
  ] as unknown as Zone[];
  expect(foreseen(zones, changesOf({ id: "house", from: undefined }, { zoneId: "room" }))).toEqual(zones);
  expect(foreseen(zones, changesOf({ id: "room", from: "floor" }, { zoneId: "house" }))).not.toEqual(zones);
});

describe("letting go of something on a row", () => {
  it("puts it into a zone in the middle of its row, and beside it at the edges", () => {
    const inner = row("inner", "zone", "house");
    expect([0.1, 0.5, 0.9].map((height) => edgeOf(inner, height))).toEqual(["before", "into", "after"]);
    expect(edgeOf(row("house", "zone"), 0.1)).toBe("into");
    expect([0.4, 0.6].map((height) => edgeOf(row("lamp", "device", "house"), height))).toEqual(["before", "after"]);
  });

  it("gives it the place between two rows", () => {
    const items = ["lamp", "door", "kettle"];
    const moved = { id: "blind", from: undefined };
    const door = row("door", "device", "house");
    expect(targetOf(door, "before", moved, items)).toEqual({ zoneId: "house", before: "door" });
    expect(targetOf(door, "after", moved, items)).toEqual({ zoneId: "house", before: "kettle" });
    expect(targetOf(row("kettle", "device", "house"), "after", moved, items)).toEqual({ zoneId: "house" });
    expect(targetOf(door, "after", { id: "kettle", from: "house" }, items)).toEqual({ zoneId: "house" });
  });

  it("does nothing on its own row, and on a device that stands in no zone", () => {
    expect(targetOf(row("lamp", "device", "house"), "after", { id: "lamp", from: "house" }, ["lamp"])).toBeUndefined();
    expect(targetOf(row("door", "device"), "into", { id: "lamp", from: "house" }, [])).toBeUndefined();
  });

  it("takes it out of its zone on the row of what stands in none", () => {
    expect(targetOf(row("free", "free"), "into", { id: "lamp", from: "house" }, [])).toEqual({ zoneId: undefined });
  });
});

/** Zones as the service keeps them. */
class Service implements ItemsOfZones {
  readonly zones: Record<string, string[]> = { a: ["lamp", "door"], b: [] };
  version = 1;
  /** A concurrent change by another user, right before the next write. */
  other: (() => void) | undefined;

  async getTagged(id: string) {
    return { value: { items: this.zones[id] ?? [] }, etag: `${this.version}` };
  }

  async update(id: string, { items }: { items: readonly string[] }, { ifMatch }: { ifMatch?: string | undefined }) {
    this.other?.();
    this.other = undefined;
    if (ifMatch !== `${this.version}`) throw new PorchlightError("Precondition Failed", "", { status: 412 });
    if (id === "b" && items.includes("door"))
      throw new PorchlightError("Zone Item Invalid", "It would contain itself.");
    this.zones[id] = [...items];
    this.version += 1;
    return `${this.version}`;
  }
}

describe("writing it", () => {
  it("keeps the items that another user put into the zone meanwhile", async () => {
    const service = new Service();
    service.other = () => {
      service.zones.b = ["kettle"];
      service.version += 1;
    };
    await writeItems(service, changesOf({ id: "lamp", from: "a" }, { zoneId: "b" }));
    expect(service.zones).toEqual({ a: ["door"], b: ["kettle", "lamp"] });
  });

  it("leaves it where it was when the service refuses", async () => {
    const service = new Service();
    const changes = changesOf({ id: "door", from: "a" }, { zoneId: "b" });
    await expect(writeItems(service, changes)).rejects.toThrow("It would contain itself.");
    expect(service.zones).toEqual({ a: ["lamp", "door"], b: [] });
  });
});
