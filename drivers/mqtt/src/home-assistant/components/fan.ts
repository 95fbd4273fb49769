/** `fan`: on, its speed in the device's own steps, and settings for its preset, oscillation and direction. */
import { levelOf, percentOf } from "@porchlight/driver-kit";
import { commandOf, eitherCommand, meaning, shareBy, stateOf } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type Part, standardPart } from "../entity-parts.ts";
import { choice, onOff } from "./settings.ts";

const ON_STATE = { topic: "state_topic", template: "state_value_template" };
const ON_COMMAND = { topic: "command_topic", template: "command_template" };

export const fan: Component = (options) => [
  ...standardPart("Fan", "on", onOff(options, ON_STATE, ON_COMMAND)),
  ...speed(options),
  ...preset(options),
  ...oscillation(options),
  ...direction(options),
];

/** The device counts from `speed_range_min` to `speed_range_max`; one below the minimum is off. */
function speed(options: EntityOptions): readonly Part[] {
  const [min, max] = [options.number("speed_range_min") ?? 1, options.number("speed_range_max") ?? 100];
  const steps = max - min + 1;
  if (steps < 1) {
    options.leaveAside("badOption", "its speed range is not valid");
    return [];
  }
  const none = options.text("payload_reset_percentage");
  const percent = shareBy((at) => percentOf(at - min + 1, steps), 0, 100, none);
  const state = stateOf(options, { topic: "percentage_state_topic", template: "percentage_value_template" }, percent);
  const command = { topic: "percentage_command_topic", template: "percentage_command_template" };
  const set = commandOf(options, command, (value) => ({ value: levelOf(Number(value), steps) + min - 1 }));
  return standardPart("Fan", "speed", { state, set, tolerance: percentOf(0.5, steps) });
}

function preset(options: EntityOptions): readonly Part[] {
  const values = options.words("preset_modes");
  if (values.length === 0) return [];
  const none = options.text("payload_reset_preset_mode");
  const state = { topic: "preset_mode_state_topic", template: "preset_mode_value_template" };
  const command = { topic: "preset_mode_command_topic", template: "preset_mode_command_template" };
  return customPart(options.partName("preset"), "string", choice(options, state, command, values, none), {
    values,
  });
}

function oscillation(options: EntityOptions): readonly Part[] {
  const on = options.text("payload_oscillation_on") ?? "oscillate_on";
  const off = options.text("payload_oscillation_off") ?? "oscillate_off";
  const words = meaning([
    [on, true],
    [off, false],
  ]);
  const state = stateOf(options, { topic: "oscillation_state_topic", template: "oscillation_value_template" }, words);
  const command = { topic: "oscillation_command_topic", template: "oscillation_command_template" };
  const set = eitherCommand(options, command, on, off);
  return customPart(options.partName("oscillation"), "boolean", { state, set });
}

function direction(options: EntityOptions): readonly Part[] {
  const forward = options.text("payload_direction_forward") ?? "forward";
  const reverse = options.text("payload_direction_reverse") ?? "reverse";
  const words = meaning([
    [forward, "forward"],
    [reverse, "reverse"],
  ]);
  const state = stateOf(options, { topic: "direction_state_topic", template: "direction_value_template" }, words);
  const command = { topic: "direction_command_topic", template: "direction_command_template" };
  const set = commandOf(options, command, (value) => ({ value: value === "forward" ? forward : reverse }));
  return customPart(options.partName("direction"), "string", { state, set }, { values: ["forward", "reverse"] });
}
