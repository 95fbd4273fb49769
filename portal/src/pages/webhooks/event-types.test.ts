import { expect, it } from "vitest";
import { toggled } from "./settings-draft.ts";

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
