import { expect, test } from "vitest";
import { description, entities } from "./read-back.fixture.ts";

test.for([
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

test("a number whose ends are one is shown, and not set", () => {
  expect(entities(description(["Settings.fixed", "number", "rw", { min: 3, max: 3 }]))).toMatchObject({
    Settings_0_fixed: { component: "sensor" },
  });
});
