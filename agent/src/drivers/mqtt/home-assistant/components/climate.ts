/** `climate`: a thermostat of the standard modes, what it measures, and as settings all else that it can be set to. */
import { celsiusOf, fahrenheitOf } from "../../../kit/index.ts";
import { commandOf, eitherCommand, stateOf } from "../entities/bindings.ts";
import type { EntityOptions } from "../entities/entity-options.ts";
import { customPart, type Part, standardPart } from "../entities/parts.ts";
import { meaning, numberBy, tidy } from "../entities/values.ts";
import type { Component } from "./component.ts";
import { choice } from "./settings.ts";

const MODES = ["auto", "off", "cool", "heat", "dry", "fan_only"];
/** The catalogue's, °C. */
const LOWEST = 5;
const HIGHEST = 35;
const ACTIVITIES = meaning([
  ["off", "idle"],
  ["idle", "idle"],
  ["heating", "heating"],
  ["preheating", "heating"],
  ["cooling", "cooling"],
  // No word of the catalogue says them.
  ...["drying", "fan", "defrosting"].map((word) => [word, null] as const),
]);

export const climate: Component = (options) => {
  const unit = scaleOf(options);
  const measured = { topic: "current_temperature_topic", template: "current_temperature_template" };
  return [
    ...mode(options),
    ...target(options, unit),
    ...standardPart("Thermostat", "activity", {
      state: stateOf(options, { topic: "action_topic", template: "action_template" }, ACTIVITIES),
    }),
    ...standardPart("Temperature", "celsius", { state: stateOf(options, measured, numberBy(unit.toCelsius)) }),
    ...currentHumidity(options),
    ...targetHumidity(options, 30, 99),
    ...["low", "high"].flatMap((end) => limit(options, end)),
    ...["fan", "swing", "swing_horizontal", "preset"].flatMap((what) => wordsOf(options, what)),
    ...power(options),
  ];
};

interface Scale {
  readonly toCelsius: (value: number) => number;
  readonly ofCelsius: (celsius: number) => number;
  /** °C in one of its degrees. */
  readonly degree: number;
  readonly name: string;
}

/** Celsius unless it says otherwise: here is no other system's unit to follow. */
function scaleOf(options: EntityOptions): Scale {
  if (options.text("temperature_unit")?.toUpperCase() === "F")
    return { toCelsius: celsiusOf, ofCelsius: fahrenheitOf, degree: 5 / 9, name: "°F" };
  return { toCelsius: (value) => value, ofCelsius: (value) => value, degree: 1, name: "°C" };
}

/** Modes that the catalogue does not have stand beside it, as a setting that has all of them. */
function mode(options: EntityOptions): readonly Part[] {
  const listed = options.words("modes");
  const modes = listed.length > 0 ? listed : MODES;
  const auto = modes.includes("auto") ? "auto" : "heat_cool";
  const standard = ["off", "heat", "cool", auto].filter((word) => modes.includes(word));
  const shown = (word: string) => (word === auto ? "auto" : word);
  const words = meaning([
    ...standard.map((word) => [word, shown(word)] as const),
    ...modes.filter((word) => !standard.includes(word)).map((word) => [word, null] as const),
  ]);
  const stateKeys = { topic: "mode_state_topic", template: "mode_state_template" };
  const commandKeys = { topic: "mode_command_topic", template: "mode_command_template" };
  const set = commandOf(options, commandKeys, (value) => ({ value: value === "auto" ? auto : String(value) }));
  const binding = { state: stateOf(options, stateKeys, words), set };
  const all = customPart(options.partName("mode"), "string", choice(options, stateKeys, commandKeys, modes), {
    values: modes,
  });
  return [
    ...(standard.length > 0 ? standardPart("Thermostat", "mode", binding, { values: standard.map(shown) }) : []),
    ...(standard.length < modes.length ? all : []),
  ];
}

function target(options: EntityOptions, { toCelsius, ofCelsius, degree }: Scale): readonly Part[] {
  const step = options.number("temp_step") ?? 1;
  const range = rangeOf(options, toCelsius, step * degree);
  if (!range || step <= 0) {
    options.leaveAside("badOption", "its temperature range is not valid");
    return [];
  }
  const state = stateOf(
    options,
    { topic: "temperature_state_topic", template: "temperature_state_template" },
    numberBy(toCelsius),
  );
  const command = { topic: "temperature_command_topic", template: "temperature_command_template" };
  const set = commandOf(options, command, (value) => ({ value: tidy(ofCelsius(Number(value))) }));
  // Steps of degrees Fahrenheit are no numbers that a person would write in degrees Celsius.
  const steps = degree === 1 ? { step } : {};
  const tolerance = tidy((step * degree) / 2);
  return standardPart("Thermostat", "target", { state, set, tolerance }, { ...range, ...steps });
}

/** In °C, within the catalogue's, on the device's own steps; undefined when nothing is left. */
function rangeOf(
  options: EntityOptions,
  toCelsius: (value: number) => number,
  step: number,
): { readonly min: number; readonly max: number } | undefined {
  const [min, max] = [toCelsius(options.number("min_temp") ?? 7), toCelsius(options.number("max_temp") ?? 35)];
  const [from, to] = options.text("temperature_unit")?.toUpperCase() === "F" ? fahrenheitRange(options) : [min, max];
  const lowest = from >= LOWEST ? from : from + Math.ceil((LOWEST - from) / step) * step;
  const highest = Math.min(HIGHEST, to);
  return lowest <= highest ? { min: tidy(lowest), max: tidy(highest) } : undefined;
}

/** The defaults are 7 and 35 °C in either unit. */
function fahrenheitRange(options: EntityOptions): [number, number] {
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  return [min === undefined ? 7 : celsiusOf(min), max === undefined ? 35 : celsiusOf(max)];
}

/** Of thermostats and humidifiers. */
export function currentHumidity(options: EntityOptions): readonly Part[] {
  const keys = { topic: "current_humidity_topic", template: "current_humidity_template" };
  return standardPart("Humidity", "percent", { state: stateOf(options, keys, numberBy()) });
}

/** Of thermostats and humidifiers. @param least and @param most of a device that does not say them, % */
export function targetHumidity(options: EntityOptions, least: number, most: number): readonly Part[] {
  const [min, max] = [options.number("min_humidity") ?? least, options.number("max_humidity") ?? most];
  const keys = { topic: "target_humidity_state_topic", template: "target_humidity_state_template" };
  const command = { topic: "target_humidity_command_topic", template: "target_humidity_command_template" };
  const state = stateOf(
    options,
    keys,
    numberBy((value) => value, options.text("payload_reset_humidity")),
  );
  const set = commandOf(options, command, (value) => ({ value: Number(value) }));
  if (min > max || !set) return [];
  return customPart(
    options.partName("target humidity"),
    "number",
    { state, set, tolerance: 0.5 },
    { unit: "%", min, max },
  );
}

/** The lower and the upper target of those that keep between two, in their own unit. */
function limit(options: EntityOptions, end: string): readonly Part[] {
  const keys = { topic: `temperature_${end}_state_topic`, template: `temperature_${end}_state_template` };
  const command = { topic: `temperature_${end}_command_topic`, template: `temperature_${end}_command_template` };
  const set = commandOf(options, command, (value) => ({ value: Number(value) }));
  if (!set) return [];
  const binding = { state: stateOf(options, keys, numberBy()), set, tolerance: (options.number("temp_step") ?? 1) / 2 };
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  const range = min !== undefined && max !== undefined && min <= max ? { min, max } : {};
  return customPart(options.partName(`target ${end}`), "number", binding, {
    unit: scaleOf(options).name,
    ...range,
  });
}

const DEFAULT_WORDS: Readonly<Record<string, readonly string[]>> = {
  fan: ["auto", "low", "medium", "high"],
  swing: ["on", "off"],
  swing_horizontal: ["on", "off"],
};

function wordsOf(options: EntityOptions, what: string): readonly Part[] {
  const listed = options.words(`${what}_modes`);
  const values = listed.length > 0 ? listed : (DEFAULT_WORDS[what] ?? []);
  if (values.length === 0 || !options.has(`${what}_mode_command_topic`)) return [];
  const template = what === "preset" ? "preset_mode_value_template" : `${what}_mode_state_template`;
  const state = { topic: `${what}_mode_state_topic`, template };
  const command = { topic: `${what}_mode_command_topic`, template: `${what}_mode_command_template` };
  // That no preset is set is a word of its own.
  const all = what === "preset" && !values.includes("none") ? [...values, "none"] : values;
  const name = options.partName(`${what.replace("_", " ")} mode`);
  return customPart(name, "string", choice(options, state, command, all), { values: all });
}

function power(options: EntityOptions): readonly Part[] {
  const command = { topic: "power_command_topic", template: "power_command_template" };
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  return customPart(options.partName("power"), "boolean", { set: eitherCommand(options, command, on, off) });
}
