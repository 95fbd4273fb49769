import type { DeviceDescription } from "@porchlight/shared/model";
import { describe, expect, test } from "vitest";
import { topicsOf } from "../messages/topics.ts";
import { entitiesOf } from "./device-entities.ts";
import { DEVICE, description, entities, HUB } from "./read-back.fixture.ts";

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
  [
    "a cover",
    description(
      ["Cover.position", "number", "rwn"],
      ["Cover.movement", "string", "rn", { values: ["stopped", "opening", "closing"] }],
    ),
    {
      cover_0: {
        component: "cover",
        position_topic: "Cover/0/position",
        set_position_topic: "Cover/0/position/set",
        state_topic: "Cover/0/movement",
        command_topic: "Cover/0/position/set",
        payload_open: "100",
        payload_close: "0",
        payload_stop: null,
      },
    },
  ],
  [
    "a cover that only opens and closes",
    description(["Cover.position", "number", "rwn", { values: [0, 100] }]),
    {
      cover_0: {
        component: "cover",
        position_topic: "Cover/0/position",
        command_topic: "Cover/0/position/set",
        payload_open: "100",
        payload_close: "0",
        payload_stop: null,
      },
    },
  ],
  [
    "a cover that does not say where it is, which is only opened and closed",
    description(["Cover.position", "number", "w"]),
    {
      cover_0: {
        component: "cover",
        command_topic: "Cover/0/position/set",
        payload_open: "100",
        payload_close: "0",
        payload_stop: null,
      },
    },
  ],
  [
    "a fan",
    description(["Fan.on", "boolean", "rwn"], ["Fan.speed", "integer", "rwn"]),
    {
      fan_0: {
        component: "fan",
        state_topic: "Fan/0/on",
        command_topic: "Fan/0/on/set",
        payload_on: "true",
        payload_off: "false",
        percentage_state_topic: "Fan/0/speed",
        percentage_command_topic: "Fan/0/speed/set",
      },
    },
  ],
  [
    "a lock",
    description(["Lock.locked", "boolean", "rwn"], ["Lock.jammed", "boolean", "rn"]),
    {
      lock_0: {
        component: "lock",
        state_topic: "Lock/0/locked",
        command_topic: "Lock/0/locked/set",
        payload_lock: "true",
        payload_unlock: "false",
        state_locked: "true",
        state_unlocked: "false",
      },
      Lock_0_jammed: {
        component: "binary_sensor",
        state_topic: "Lock/0/jammed",
        payload_on: "true",
        payload_off: "false",
        device_class: "problem",
      },
    },
  ],
  [
    "a lock that can only be watched: Home Assistant's on is unlocked",
    description(["Lock.locked", "boolean", "rn"]),
    {
      Lock_0_locked: {
        component: "binary_sensor",
        state_topic: "Lock/0/locked",
        payload_on: "false",
        payload_off: "true",
        device_class: "lock",
      },
    },
  ],
  [
    "a valve",
    description(["Valve.open", "boolean", "rwn"]),
    {
      valve_0: {
        component: "valve",
        state_topic: "Valve/0/open",
        command_topic: "Valve/0/open/set",
        payload_open: "true",
        payload_close: "false",
        state_open: "true",
        state_closed: "false",
        reports_position: false,
      },
    },
  ],
  [
    "a thermostat",
    description(
      ["Thermostat.mode", "string", "rwn", { values: ["off", "heat"] }],
      ["Thermostat.target", "number", "rwn", { unit: "°C", min: 7, max: 30 }],
      ["Thermostat.activity", "string", "rn", { values: ["idle", "heating"] }],
      ["Temperature.celsius", "number", "rn", { unit: "°C" }],
    ),
    {
      climate_0: {
        component: "climate",
        mode_state_topic: "Thermostat/0/mode",
        mode_command_topic: "Thermostat/0/mode/set",
        modes: ["off", "heat"],
        temperature_state_topic: "Thermostat/0/target",
        temperature_command_topic: "Thermostat/0/target/set",
        min_temp: 7,
        max_temp: 30,
        temp_step: 0.5,
        action_topic: "Thermostat/0/activity",
        current_temperature_topic: "Temperature/0/celsius",
        temperature_unit: "C",
        precision: 0.1,
      },
    },
  ],
  [
    "energy that grows",
    description(["Electricity.energy", "number", "rn", { unit: "kWh" }]),
    {
      Electricity_0_energy: {
        component: "sensor",
        state_topic: "Electricity/0/energy",
        unit_of_measurement: "kWh",
        device_class: "energy",
        state_class: "total_increasing",
      },
    },
  ],
  [
    "a temperature in another unit, which is no temperature of Home Assistant's",
    description(["Temperature.celsius", "number", "rn", { unit: "mK" }]),
    {
      Temperature_0_celsius: {
        component: "sensor",
        state_topic: "Temperature/0/celsius",
        unit_of_measurement: "mK",
        state_class: "measurement",
      },
    },
  ],
  [
    "a battery",
    description(["Battery.percent", "number", "rn"], ["Battery.low", "boolean", "rn"]),
    {
      Battery_0_percent: {
        component: "sensor",
        state_topic: "Battery/0/percent",
        unit_of_measurement: "%",
        device_class: "battery",
        entity_category: "diagnostic",
        state_class: "measurement",
      },
      Battery_0_low: {
        component: "binary_sensor",
        state_topic: "Battery/0/low",
        payload_on: "true",
        payload_off: "false",
        device_class: "battery",
        entity_category: "diagnostic",
      },
    },
  ],
  [
    "a button",
    description(["Button:2.event", "string", "n", { values: ["press", "long"] }]),
    {
      Button_2_event: {
        component: "event",
        state_topic: "Button/2/event",
        event_types: ["press", "long"],
        value_template: '{{ {"event_type": value} | tojson }}',
        device_class: "button",
      },
    },
  ],
  [
    "what shows itself",
    description(["Identify.active", "boolean", "rwn"]),
    {
      Identify_0_active: {
        component: "button",
        command_topic: "Identify/0/active/set",
        payload_press: "true",
        entity_category: "config",
        device_class: "identify",
      },
    },
  ],
  [
    "settings",
    description(
      ["Settings.childLock", "boolean", "rwn"],
      ["Settings.mode", "string", "rwn", { values: ["eco", "boost", "eco"] }],
      ["Settings.delay", "integer", "rwn", { unit: "s", min: 0, max: 60 }],
      ["Settings.offset", "number", "w", { min: -5, max: 5, step: 0.5 }],
      ["Settings.count", "integer", "rwn"],
      ["Settings.label", "string", "rwn"],
      ["Settings.reset", "boolean", "w", { values: [true] }],
    ),
    {
      Settings_0_childLock: {
        component: "switch",
        state_topic: "Settings/0/childLock",
        command_topic: "Settings/0/childLock/set",
        payload_on: "true",
        payload_off: "false",
        entity_category: "config",
      },
      Settings_0_mode: {
        component: "select",
        state_topic: "Settings/0/mode",
        command_topic: "Settings/0/mode/set",
        options: ["eco", "boost"],
        entity_category: "config",
      },
      Settings_0_delay: {
        component: "number",
        state_topic: "Settings/0/delay",
        command_topic: "Settings/0/delay/set",
        min: 0,
        max: 60,
        step: 1,
        unit_of_measurement: "s",
        entity_category: "config",
      },
      Settings_0_offset: {
        component: "number",
        command_topic: "Settings/0/offset/set",
        min: -5,
        max: 5,
        step: 0.5,
        entity_category: "config",
      },
      Settings_0_count: {
        component: "number",
        state_topic: "Settings/0/count",
        command_topic: "Settings/0/count/set",
        min: -1_000_000_000,
        max: 1_000_000_000,
        step: 1,
        mode: "box",
        entity_category: "config",
      },
      Settings_0_label: {
        component: "text",
        state_topic: "Settings/0/label",
        command_topic: "Settings/0/label/set",
        value_template: "{{ value[:255] }}",
        max: 255,
        entity_category: "config",
      },
      Settings_0_reset: {
        component: "button",
        command_topic: "Settings/0/reset/set",
        payload_press: "true",
        entity_category: "config",
      },
    },
  ],
  [
    "readings",
    description(
      ["Readings.state", "string", "rn", { values: ["a", "b"] }],
      ["Readings.text", "string", "rn"],
      ["Readings.ready", "boolean", "rn"],
      ["Readings.code", "integer", "r"],
      ["Readings.shaken", "boolean", "n"],
    ),
    {
      Readings_0_state: {
        component: "sensor",
        state_topic: "Readings/0/state",
        device_class: "enum",
        options: ["a", "b"],
      },
      Readings_0_text: { component: "sensor", state_topic: "Readings/0/text", value_template: "{{ value[:255] }}" },
      Readings_0_ready: {
        component: "binary_sensor",
        state_topic: "Readings/0/ready",
        payload_on: "true",
        payload_off: "false",
      },
      Readings_0_code: { component: "sensor", state_topic: "Readings/0/code", state_class: "measurement" },
      Readings_0_shaken: {
        component: "event",
        state_topic: "Readings/0/shaken",
        event_types: ["true", "false"],
        value_template: '{{ {"event_type": value} | tojson }}',
      },
    },
  ],
] as const)("%s", ([, described, expected]) => {
  expect(entities(described)).toEqual(expected);
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

test("a number whose ends are one is shown, and not set", () => {
  expect(entities(description(["Settings.fixed", "number", "rw", { min: 3, max: 3 }]))).toMatchObject({
    Settings_0_fixed: { component: "sensor" },
  });
});

test("entities beyond the bound are counted", () => {
  const many = description(...Array.from({ length: 10 }, (_, n) => [`Readings.r${n}`, "number", "r"] as const));
  expect(leftAside(many, 4)).toEqual({ tooManyEntities: 6 });
});
