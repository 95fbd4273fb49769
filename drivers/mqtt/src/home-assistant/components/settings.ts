/** `switch`, `number`, `select`, `text` and `button`: components with a single value to set. */
import {
  anyText,
  commandOf,
  eitherCommand,
  fixedCommand,
  meaning,
  numberBy,
  oneOf,
  stateOf,
} from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type PartBinding, standardPart } from "../entity-parts.ts";

const STATE = { topic: "state_topic", template: "value_template" };
const COMMAND = { topic: "command_topic", template: "command_template" };

/** The words of zigbee2mqtt's "Power-on behavior" that the class `Switch` has too. */
const START_UP = new Set(["off", "on", "toggle", "previous"]);

/** A switch with an entity category is a setting of its device, and no `Switch` for people. */
export const switchComponent: Component = (options) => {
  const binding = onOff(options, STATE, COMMAND);
  return options.has("entity_category")
    ? customPart(options.partName(), "boolean", binding)
    : standardPart("Switch", "on", binding);
};

/** On and off, with the options that switches, fans and humidifiers share. */
export function onOff(
  options: EntityOptions,
  state: { readonly topic: string; readonly template: string },
  command: { readonly topic: string; readonly template?: string },
): PartBinding {
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  const words = meaning([
    [options.text("state_on") ?? on, true],
    [options.text("state_off") ?? off, false],
  ]);
  return { state: stateOf(options, state, words), set: eitherCommand(options, command, on, off) };
}

export const number: Component = (options) => {
  const [min, max, step] = [options.number("min") ?? 1, options.number("max") ?? 100, options.number("step") ?? 1];
  if (min > max || step <= 0) {
    options.leaveAside("badOption", "its range is not valid");
    return [];
  }
  const convert = numberBy((value) => value, options.text("payload_reset"));
  const binding = {
    state: stateOf(options, STATE, convert),
    set: commandOf(options, COMMAND, (value) => ({ value: Number(value) })),
    tolerance: step / 2,
  };
  const unit = options.text("unit_of_measurement");
  return customPart(options.partName(), "number", binding, { unit, min, max, step });
};

export const select: Component = (options) => {
  const values = options.words("options");
  if (values.length === 0) {
    options.leaveAside("badOption", "it has no options");
    return [];
  }
  const [name, binding] = [options.partName(), choice(options, STATE, COMMAND, values)];
  const isStartUp = name.name === "powerOnBehavior" && values.every((word) => START_UP.has(word));
  return isStartUp
    ? standardPart("Switch", "startUp", binding, { values })
    : customPart(name, "string", binding, { values });
};

/** A property whose value is one of several words. */
export function choice(
  options: EntityOptions,
  state: { readonly topic: string; readonly template: string },
  command: { readonly topic: string; readonly template?: string },
  words: readonly string[],
  none?: string,
): PartBinding {
  return {
    state: stateOf(options, state, oneOf(words, none)),
    set: commandOf(options, command, (value) => ({ value: String(value) })),
  };
}

/** A password is write-only: its value is never reported. */
export const text: Component = (options) => {
  const isSecret = options.text("mode") === "password";
  const state = isSecret ? undefined : stateOf(options, STATE, anyText);
  const set = commandOf(options, COMMAND, (value) => ({ value: String(value) }));
  return customPart(options.partName(), "string", { state, set });
};

export const button: Component = (options) => {
  const set = fixedCommand(options, COMMAND, options.text("payload_press") ?? "PRESS");
  const isIdentify = options.text("device_class") === "identify";
  if (isIdentify) return standardPart("Identify", "active", { set }, { values: [true] });
  return customPart(options.partName(), "boolean", { set }, { values: [true] });
};
