import { expect, test } from "vitest";
import { description, entities } from "./read-back.fixture.ts";

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
    "a cover that has a target",
    description(["Cover.position", "number", "rn"], ["Cover.target", "number", "w"]),
    {
      cover_0: {
        component: "cover",
        position_topic: "Cover/0/position",
        set_position_topic: "Cover/0/target/set",
        command_topic: "Cover/0/target/set",
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
] as const)("%s", ([, described, expected]) => {
  expect(entities(described)).toEqual(expected);
});
