/** What a scene says that it sets. */
import type { SceneItem } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { titlesOf } from "../../data/catalogue.ts";
import { sceneWords } from "./item-words.ts";
import { homeOf, lamp } from "./scene-home.fixture.ts";
import { hubOf } from "./scene-home.ts";

const cover = {
  ...{ service: "Cover", index: "0" },
  properties: [
    { property: "position", type: "number" as const, unit: "%", access: ["read" as const, "write" as const] },
  ],
};
const mood = {
  ...{ service: "Poem", index: "0" },
  properties: [{ property: "moodOfDay", type: "string" as const, access: ["read" as const, "write" as const] }],
};
const home = homeOf(
  { a: lamp(true, 40), b: lamp(true, 40), c: lamp(false, 0), blind: [cover], poem: [mood] },
  { hall: ["a", "blind"] },
  { a: "cli_1", b: "cli_1", c: "cli_2" },
);
const item = (target: string, service: string, value: SceneItem["value"]): SceneItem => ({ target, service, value });
const light = (target: string, on: boolean, level: number) => [
  item(target, "Switch:0.on", on),
  item(target, "LightLevel.level", level),
];

test.each<[readonly SceneItem[], string, number]>([
  [[...light("a", true, 40), ...light("b", true, 40)], "2 lights: on at 40 %", 0],
  [light("a", true, 40), "a: on at 40 %", 0],
  [[...light("a", true, 40), item("blind", "Cover.position", 40)], "a: on at 40 %; blind: at 40 %", 0],
  [light("c", false, 30), "c: off", 1],
  [[item("poem", "Poem.moodOfDay", "grim")], "poem: mood of day grim", 0],
  [[item("hall", "Switch.on", false)], "all lights of hall: off", 0],
  [[item("hall", "Switch.on", true), item("hall", "Cover.position", 40)], "all devices of hall: on at 40 %", 0],
  [[item("hall", "Lock.locked", true)], "hall (zone): locked", 0],
  [[item("gone", "Switch.on", true)], "a deleted device: on", 0],
  [
    ["a", "b", "c", "blind", "poem", "hall"].map((each, at) => item(each, `X.p${at}`, at)),
    "a: p0 0; b: p1 1; c: p2 2; blind: p3 3",
    2,
  ],
  [[item("a", "nonsense", 1)], "a: ", 1],
])("%#", (items, text, rest) => {
  const described = sceneWords(items, home, titlesOf([]));
  expect([described.phrases.map(({ subject, words }) => `${subject}: ${words}`).join("; "), described.rest]).toEqual([
    text,
    rest,
  ]);
});

test.each([
  [["a", "b"], { kind: "one", hubId: "cli_1" }],
  [["a", "c"], { kind: "several", count: 2 }],
  [["a", "blind"], { kind: "virtual" }],
  [["gone"], { kind: "none" }],
  // Of a zone only those count that have the property.
  [["hall"], { kind: "one", hubId: "cli_1" }],
])("the hub of %j", (targets, expected) => {
  expect(
    hubOf(
      home,
      targets.map((each) => item(each, "Switch.on", true)),
    ),
  ).toEqual(expected);
});
