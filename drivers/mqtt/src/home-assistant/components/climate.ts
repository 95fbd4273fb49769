/** `climate`: a thermostat of the standard modes, its measurements, and settings for everything else that can be set. */
import { celsiusOf, fahrenheitOf, readCelsius, type TemperatureScale, temperatureScale } from "@porchlight/driver-kit";
import { commandOf, eitherCommand, meaning, numberBy, shareBy, stateOf, tidy } from "../entity-bindings.ts";
import type { Component, EntityOptions } from "../entity-options.ts";
import { customPart, type Part, standardPart } from "../entity-parts.ts";
import { choice } from "./settings.ts";

const MODES = ["auto", "off", "cool", "heat", "dry", "fan_only"];
/** The catalogue's range, °C. */
const LOWEST = 5;
const HIGHEST = 35;
const ACTIVITIES = meaning([
  ["off", "idle"],
  ["idle", "idle"],
  ["heating", "heating"],
  ["preheating", "heating"],
  ["cooling", "cooling"],
  // The catalogue has no words for these.
  ...["drying", "fan", "defrosting"].map((word) => [word, null] as const),
]);

export const climate: Component = (options) => [
  ...mode(options),
  ...temperatures(options),
  ...standardPart("Thermostat", "activity", {
    state: stateOf(options, { topic: "action_topic", template: "action_template" }, ACTIVITIES),
  }),
  ...currentHumidity(options),
  ...targetHumidity(options, 30, 99),
  ...["low", "high"].flatMap((end) => limit(options, end)),
  ...["fan", "swing", "swing_horizontal", "preset"].flatMap((what) => wordsOf(options, what)),
  ...power(options),
];

/** Modes that the catalogue does not have become a separate setting, which has all modes. */
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

const MEASURED = { topic: "current_temperature_topic", template: "current_temperature_template" };
const TARGET = { topic: "temperature_state_topic", template: "temperature_state_template" };
const TARGET_COMMAND = { topic: "temperature_command_topic", template: "temperature_command_template" };

function temperatures(options: EntityOptions): readonly Part[] {
  const scale = climateScale(options);
  if (!scale) return withoutScale(options);
  const measured = stateOf(options, MEASURED, numberBy(scale.toCelsius), scale.name);
  return [...target(options, scale), ...standardPart("Temperature", "celsius", { state: measured })];
}

/** Without a certain unit, a temperature belongs to no standard class: its plain numbers are reported. */
function withoutScale(options: EntityOptions): readonly Part[] {
  options.leaveAside(
    "badOption",
    "its temperature_unit is not certain: it says none that is known, and its range may be in °F",
  );
  const set = commandOf(options, TARGET_COMMAND, (value) => ({ value: Number(value) }));
  const step = options.number("temp_step") ?? 1;
  const target = { state: stateOf(options, TARGET, numberBy()), set, tolerance: step / 2 };
  const measured = { state: stateOf(options, MEASURED, numberBy()) };
  return [
    ...(set ? customPart(options.partName("target temperature"), "number", target, statedRange(options)) : []),
    ...customPart(options.partName("current temperature"), "number", measured),
  ];
}

function target(options: EntityOptions, scale: ClimateScale): readonly Part[] {
  const { toCelsius, ofCelsius, degree, name } = scale;
  const step = options.number("temp_step") ?? 1;
  const range = step > 0 ? rangeOf(celsiusRange(options, scale), step * degree) : undefined;
  if (!range) {
    options.leaveAside("badOption", "its temperature range is not valid");
    return [];
  }
  const state = stateOf(options, TARGET, numberBy(toCelsius), name);
  const set = commandOf(options, TARGET_COMMAND, (value) => ({ value: tidy(ofCelsius(Number(value))) }));
  // A step in degrees Fahrenheit is no convenient number in degrees Celsius.
  const steps = degree === 1 ? { step } : {};
  const tolerance = tidy((step * degree) / 2);
  return standardPart("Thermostat", "target", { state, set, tolerance }, { ...range, ...steps });
}

/** The range in °C, limited to the catalogue's and to the device's own steps; undefined when it is empty. */
function rangeOf([from, to]: readonly [number, number], step: number): { min: number; max: number } | undefined {
  const lowest = from >= LOWEST ? from : from + Math.ceil((LOWEST - from) / step) * step;
  const highest = Math.min(HIGHEST, to);
  return lowest <= highest ? { min: tidy(lowest), max: tidy(highest) } : undefined;
}

function statedRange(options: EntityOptions): { readonly min?: number; readonly max?: number } {
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  return min !== undefined && max !== undefined && min <= max ? { min, max } : {};
}

/** For thermostats and humidifiers. */
export function currentHumidity(options: EntityOptions): readonly Part[] {
  const keys = { topic: "current_humidity_topic", template: "current_humidity_template" };
  return standardPart("Humidity", "percent", { state: stateOf(options, keys, numberBy()) });
}

/** For thermostats and humidifiers. @param least and @param most the default limits for a device that states none, % */
export function targetHumidity(options: EntityOptions, least: number, most: number): readonly Part[] {
  const [min, max] = [options.number("min_humidity") ?? least, options.number("max_humidity") ?? most];
  const keys = { topic: "target_humidity_state_topic", template: "target_humidity_state_template" };
  const command = { topic: "target_humidity_command_topic", template: "target_humidity_command_template" };
  const state = stateOf(
    options,
    keys,
    shareBy((value) => value, 0, 100, options.text("payload_reset_humidity")),
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

/** The lower or the upper target of a thermostat that keeps between two, in its own unit. */
function limit(options: EntityOptions, end: string): readonly Part[] {
  const keys = { topic: `temperature_${end}_state_topic`, template: `temperature_${end}_state_template` };
  const command = { topic: `temperature_${end}_command_topic`, template: `temperature_${end}_command_template` };
  const set = commandOf(options, command, (value) => ({ value: Number(value) }));
  if (!set) return [];
  const binding = { state: stateOf(options, keys, numberBy()), set, tolerance: (options.number("temp_step") ?? 1) / 2 };
  const range = { unit: climateScale(options)?.name, ...statedRange(options) };
  return customPart(options.partName(`target ${end}`), "number", binding, range);
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
  // "none" is the word for no preset.
  const all = what === "preset" && !values.includes("none") ? [...values, "none"] : values;
  const name = options.partName(`${what.replace("_", " ")} mode`);
  return customPart(name, "string", choice(options, state, command, all), { values: all });
}

function power(options: EntityOptions): readonly Part[] {
  const command = { topic: "power_command_topic", template: "power_command_template" };
  const [on, off] = [options.text("payload_on") ?? "ON", options.text("payload_off") ?? "OFF"];
  return customPart(options.partName("power"), "boolean", { set: eitherCommand(options, command, on, off) });
}

/** The unit of a thermostat's temperatures, by its options. */
interface ClimateScale {
  /** `null` where the value is none of the scale. */
  readonly toCelsius: (value: number) => number | null;
  readonly ofCelsius: (celsius: number) => number;
  /** Degrees Celsius in one of its degrees. */
  readonly degree: number;
  readonly name: string;
}

const SCALES: Readonly<Record<TemperatureScale, Omit<ClimateScale, "toCelsius">>> = {
  celsius: { ofCelsius: (value) => value, degree: 1, name: "°C" },
  fahrenheit: { ofCelsius: fahrenheitOf, degree: 5 / 9, name: "°F" },
  kelvin: { ofCelsius: (value) => value + 273.15, degree: 1, name: "K" },
};

/** A range that begins at or below this number is in °C: no thermostat has a minimum below freezing, °F. */
const FREEZING_F = 30;
/** A range that ends at or below this number is in °C: no thermostat has so low a maximum, °F. */
const COLD_F = 45;
/** No thermostat measures more, °C, unless it can be set to more. */
const HIGHEST_MEASURED = 50;

/** Undefined when the unit is not certain: it is no unit of temperature, or it is absent and the range may be in °F. */
function climateScale(options: EntityOptions): ClimateScale | undefined {
  const unit = options.text("temperature_unit");
  const name = unit === undefined ? "celsius" : temperatureScale(unit);
  if (name === undefined || (unit === undefined && !isInCelsius(options))) return undefined;
  const highest = Math.max(HIGHEST_MEASURED, options.number("max_temp") ?? 0);
  const limit = unit === undefined ? highest : Number.POSITIVE_INFINITY;
  return { ...SCALES[name], toCelsius: (value) => (value > limit ? null : (readCelsius(value, name) ?? null)) };
}

function isInCelsius(options: EntityOptions): boolean {
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  return (min !== undefined && min <= FREEZING_F) || Math.max(min ?? 0, max ?? 0) <= COLD_F;
}

/** The range of the thermostat's target, °C: 7 to 35 where the device states none, in any unit. */
function celsiusRange(options: EntityOptions, { name }: ClimateScale): readonly [min: number, max: number] {
  const [min, max] = [options.number("min_temp"), options.number("max_temp")];
  const convert = (value: number) => (name === "°F" ? celsiusOf(value) : name === "K" ? value - 273.15 : value);
  return [min === undefined ? 7 : convert(min), max === undefined ? 35 : convert(max)];
}
