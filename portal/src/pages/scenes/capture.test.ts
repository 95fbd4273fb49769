/** What of a home becomes a scene. */
import { expect, test } from "vitest";
import { homeOf, lamp } from "./scene-home.fixture.ts";
import { capturable, captured, withCurrent, withMore } from "./zone-items.ts";

const home = homeOf({
  lamp: lamp(true, 40),
  sensor: [
    {
      service: "Temperature",
      index: "0",
      properties: [{ property: "celsius", type: "number", access: ["read"], value: 21 }],
    },
  ],
  finder: [
    {
      service: "Identify",
      index: "0",
      properties: [{ property: "active", type: "boolean", access: ["read", "write"], value: false }],
    },
    {
      service: "Secret",
      index: "0",
      properties: [{ property: "code", type: "string", access: ["write"], value: "1234" }],
    },
  ],
  silent: [
    { service: "Switch", index: "0", properties: [{ property: "on", type: "boolean", access: ["read", "write"] }] },
  ],
});

test("only known values that can be read and set again are taken, and nothing that passes", () => {
  expect(captured(home, ["lamp", "sensor", "finder", "silent", "gone"])).toEqual([
    { target: "lamp", service: "Switch:0.on", value: true },
    { target: "lamp", service: "LightLevel:0.level", value: 40 },
  ]);
  expect([...capturable(home)]).toEqual(["lamp"]);
});

test("what is so now replaces the values, and leaves those of zones and of what is not known", () => {
  const items = [
    { target: "lamp", service: "Switch.on", value: false },
    { target: "silent", service: "Switch.on", value: true },
    { target: "hall", service: "Switch.on", value: false },
  ];
  expect(withCurrent(home, items).map(({ value }) => value)).toEqual([true, true, false]);
});

test("nothing is added that a scene sets already, however its selector is written", () => {
  const items = [{ target: "lamp", service: "Switch.on", value: false }];
  expect(withMore(home, items, captured(home, ["lamp"])).map(({ service }) => service)).toEqual([
    "Switch.on",
    "LightLevel:0.level",
  ]);
});
