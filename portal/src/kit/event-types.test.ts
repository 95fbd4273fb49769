import { expect, it } from "vitest";
import { EVENT_GROUPS, isWanted, toggled } from "./event-types.ts";

it("a pattern takes its own type, all of its prefix, or everything", () => {
  expect(isWanted("device.online", ["device.online"])).toBe(true);
  expect(isWanted("device.online", ["zone.*", "device.*"])).toBe(true);
  expect(isWanted("device.online", ["*"])).toBe(true);
  expect(isWanted("device.online", ["device.offline", "dev.*"])).toBe(false);
  expect(isWanted("device.online", [])).toBe(false);
});

it("what is chosen twice is given up", () => {
  expect(toggled([], "hub.online")).toEqual(["hub.online"]);
  expect(toggled(["hub.online"], "hub.online")).toEqual([]);
});

it("all of a prefix takes the place of its types", () => {
  expect(toggled(["hub.online", "zone.created"], "hub.*")).toEqual(["hub.*", "zone.created"]);
});

it("choosing one gives up everything", () => {
  expect(toggled(["*"], "user.created")).toEqual(["user.created"]);
});

it("each type stands in the group of its prefix, once", () => {
  const all = EVENT_GROUPS.flatMap(({ prefix, types }) => {
    for (const { type } of types) expect(type.startsWith(`${prefix}.`)).toBe(true);
    return types.map(({ type }) => type);
  });
  expect(new Set(all).size).toBe(all.length);
});
