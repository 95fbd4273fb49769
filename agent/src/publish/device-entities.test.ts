import type { DeviceDescription } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { entitiesOf } from "./device-entities.ts";
import { DEVICE, description, entities, HUB } from "./read-back.fixture.ts";
import { topicsOf } from "./topics.ts";

const leftAside = (described: DeviceDescription, most = 1000) =>
  entitiesOf(described, topicsOf(HUB, DEVICE), most).leftAside;

const ON = ["Switch.on", "boolean", "rwn"] as const;
const LEVEL = ["LightLevel.level", "number", "rwn", { min: 0, max: 100 }] as const;
const HUE = ["LightColor.hue", "number", "rwn"] as const;
const SATURATION = ["LightColor.saturation", "number", "rwn"] as const;
const KELVIN = ["LightTemperature.kelvin", "integer", "rwn", { min: 2200, max: 6500 }] as const;

describe("a lamp", () => {
  test("is one light with all that it can do", () => {
    expect(entities(description(ON, LEVEL, HUE, SATURATION, KELVIN))).toEqual({
      light_0: {
        component: "light",
        state_topic: "Switch/0/on",
        command_topic: "Switch/0/on/set",
        payload_on: "true",
        payload_off: "false",
        brightness_state_topic: "LightLevel/0/level",
        brightness_command_topic: "LightLevel/0/level/set",
        brightness_scale: 100,
        hs_state_topic: "LightColor/0/hue,saturation",
        hs_command_topic: "LightColor/0/hue,saturation/set",
        color_temp_state_topic: "LightTemperature/0/kelvin",
        color_temp_command_topic: "LightTemperature/0/kelvin/set",
        color_temp_kelvin: true,
        min_kelvin: 2200,
        max_kelvin: 6500,
      },
    });
  });

  test.for([
    [{}, 100],
    [{ min: 0, max: 254 }, 254],
  ] as const)("whose level has the range %j counts brightness to %i", ([range, scale]) => {
    const lamp = description(ON, ["LightLevel.level", "number", "rwn", range]);
    expect(entities(lamp)).toMatchObject({ light_0: { brightness_scale: scale } });
  });

  test("that has a level only is switched by its level", () => {
    expect(entities(description(LEVEL))).toMatchObject({
      light_0: {
        command_topic: "LightLevel/0/level/set",
        payload_on: "100",
        payload_off: "0",
        on_command_type: "brightness",
        state_value_template: "{{ value if value in ['0', 'None'] else '100' }}",
      },
    });
  });

  test.for([
    ["a switch alone", description(ON), ["switch"]],
    [
      "a switch and a level of another index",
      description(ON, ["LightLevel:1.level", "number", "rwn"]),
      ["light", "switch"],
    ],
    [
      "a switch and a level that cannot be set",
      description(ON, ["LightLevel.level", "number", "rn"]),
      ["switch", "sensor"],
    ],
    ["a switch with a hue alone", description(ON, HUE), ["switch", "number"]],
    [
      "a level that a switch that cannot be set shows",
      description(["Switch.on", "boolean", "rn"], LEVEL),
      ["light", "binary_sensor"],
    ],
    [
      "two lamps",
      description(ON, LEVEL, ["Switch:1.on", "boolean", "rwn"], ["LightLevel:1.level", "number", "rwn"]),
      ["light", "light"],
    ],
  ] as const)("is not made of %s more than of what belongs together", ([, described, components]) => {
    const made = entitiesOf(described, topicsOf(HUB, DEVICE), 1000).entities;
    expect(made.map(({ component }) => component)).toEqual(components);
  });
});

test.for([
  [{ json: 2 }, description(["Settings.all", "json", "rwn"], ["Readings.more", "json", "n"])],
  [{ eventWithoutValues: 1 }, description(["Readings.said", "string", "n"])],
  [{ noRange: 1 }, description(["Settings.fixed", "number", "w", { min: 3, max: 3 }])],
  [{ noChoice: 1 }, description(["Settings.none", "string", "rw", { values: [""] }])],
  [{ sameName: 1 }, description(["A.b_1_c", "string", "r"], ["A_0_b:1.c", "string", "r"])],
] as const)("%j: a property without an entity is counted", ([reasons, described]) => {
  expect(leftAside(described)).toEqual(reasons);
});

test("entities beyond the bound are counted", () => {
  const many = description(...Array.from({ length: 10 }, (_, n) => [`Readings.r${n}`, "number", "r"] as const));
  expect(leftAside(many, 4)).toEqual({ tooManyEntities: 6 });
});
