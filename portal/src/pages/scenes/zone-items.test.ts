/** What a scene may set of a whole zone. */
import type { ServiceDescriptor } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { homeOf, lamp } from "./scene-home.fixture.ts";
import { firstValue, withZone, zoneProperties } from "./zone-items.ts";

const access = ["read", "write"] as const;
const poem: ServiceDescriptor = {
  ...{ service: "Poem", index: "0" },
  properties: [
    { property: "mood", type: "string", access: [...access], values: ["grim", "glad"] },
    { property: "verses", type: "integer", access: [...access] },
    { property: "text", type: "string", access: ["write"] },
    { property: "tree", type: "json", access: [...access] },
    { property: "read", type: "boolean", access: ["read"] },
  ],
};
const finder: ServiceDescriptor = {
  ...{ service: "Identify", index: "0" },
  properties: [{ property: "active", type: "boolean", access: [...access] }],
};
const dim: ServiceDescriptor = {
  ...{ service: "LightLevel", index: "0" },
  properties: [{ property: "level", type: "number", unit: "%", min: 20, max: 50, access: [...access], value: 30 }],
};
const home = homeOf(
  { a: lamp(true, 90), b: lamp(false, 10), dim: [dim], poem: [poem, finder], bare: [] },
  { hall: ["a", "b"], attic: ["a", "dim"], study: ["poem"], empty: ["bare"] },
);
const offered = (zone: string) =>
  zoneProperties(home, zone).map((each) => [each.selector, each.devices, firstValue(home, zone, each)]);

test("each property that a device can be set to is offered once, and events are not", () => {
  expect(offered("hall")).toEqual([
    ["Switch.on", 2, true],
    ["LightLevel.level", 2, 90],
  ]);
  expect(offered("empty")).toEqual([]);
});

test("a value begins with one that all devices take, known or not", () => {
  expect(offered("attic")).toEqual([
    ["Switch.on", 1, true],
    ["LightLevel.level", 2, 30],
  ]);
  expect(offered("study")).toEqual([
    ["Poem.mood", 1, "grim"],
    ["Poem.verses", 1, 0],
    ["Poem.text", 1, ""],
    ["Poem.tree", 1, {}],
  ]);
});

test("a zone is set before single devices, and after other zones", () => {
  const item = (target: string) => ({ target, service: "Switch.on", value: true });
  const places = (targets: readonly string[]) =>
    withZone(home, targets.map(item), [item("hall")]).map(({ target }) => target);
  expect(places(["attic", "a", "study"])).toEqual(["attic", "hall", "a", "study"]);
  expect(places(["attic"])).toEqual(["attic", "hall"]);
});
