/** `climate`: a thermostat with the standard modes, its measurements, and further options as settings. */
import { fahrenheitOf, readCelsius, type TemperatureScale, withoutNoise } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { EntityState, EspHomeEntity } from "../wire/messages.ts";
import {
  type Binding,
  customParts,
  type EntityComponent,
  type EntityPart,
  type EspHomeCommand,
  flagTrait,
  near,
  numbersTrait,
  numberTrait,
  readsNumberField,
  readsPercentField,
  readsWord,
  setting,
  standardParts,
  wordsTrait,
} from "./esphome-property.ts";

const MODES = ["off", "heat_cool", "cool", "heat", "fan_only", "dry", "auto"];
const ACTIVITIES: ReadonlyMap<number, Value> = new Map<number, Value>([
  [0, "idle"],
  [2, "cooling"],
  [3, "heating"],
  [4, "idle"],
]);
const FAN_MODES = ["on", "off", "auto", "low", "medium", "high", "middle", "focus", "diffuse", "quiet"];
const SWING_MODES = ["off", "both", "vertical", "horizontal"];
const PRESETS = ["none", "home", "away", "boost", "comfort", "eco", "sleep", "activity"];
/** Temperature scales, by the protocol's numbers. */
const SCALES: readonly TemperatureScale[] = ["celsius", "fahrenheit", "kelvin"];
const ABSOLUTE_ZERO = -273.15;
/** Limits of the catalogue, °C. */
const LOWEST = 5;
const HIGHEST = 35;

export const describeClimate: EntityComponent = (entity) => {
  const isBetweenTwo = flagTrait(entity, "supportsTwoPointTargetTemperature");
  const custom = [...wordsTrait(entity, "supportedCustomFanModes"), ...wordsTrait(entity, "supportedCustomPresets")];
  return {
    parts: [
      ...modes(entity),
      ...(isBetweenTwo ? [...limit(entity, "Low"), ...limit(entity, "High")] : target(entity)),
      ...(flagTrait(entity, "supportsAction")
        ? standardParts("Thermostat", "activity", { read: readsWord("action", ACTIVITIES) })
        : []),
      ...(flagTrait(entity, "supportsCurrentTemperature")
        ? standardParts("Temperature", "celsius", { read: readsTemperature(entity, "currentTemperature") })
        : []),
      ...(flagTrait(entity, "supportsCurrentHumidity")
        ? standardParts("Humidity", "percent", { read: readsNumberField("currentHumidity") })
        : []),
      ...(flagTrait(entity, "supportsTargetHumidity") ? targetHumidity(entity) : []),
      ...words(entity, "fanMode", "supportedFanModes", FAN_MODES, "customFanMode"),
      ...words(entity, "swingMode", "supportedSwingModes", SWING_MODES),
      ...words(entity, "preset", "supportedPresets", PRESETS, "customPreset"),
    ],
    isPartial: custom.length > 0,
  };
};

/** When the device has modes that the catalogue lacks, a setting lists all of them. */
function modes(entity: EspHomeEntity): EntityPart[] {
  const supported = numbersTrait(entity, "supportedModes").filter((mode) => MODES[mode] !== undefined);
  const auto = supported.includes(6) ? 6 : 1;
  const shown = new Map<number, Value>(
    [0, 3, 2, auto]
      .filter((mode) => supported.includes(mode))
      .map((mode) => [mode, mode === auto ? "auto" : (MODES[mode] ?? null)]),
  );
  const modeOf = (words: ReadonlyMap<number, Value>, value: Value) =>
    [...words].find(([, word]) => word === value)?.[0] ?? 0;
  const bound = (all: ReadonlyMap<number, Value>) => ({
    read: readsWord("mode", all),
    command: (value: Value) => setting("mode", modeOf(all, value)),
  });
  const all = new Map<number, Value>(supported.map((mode) => [mode, MODES[mode] ?? null]));
  return [
    ...(shown.size > 0 ? standardParts("Thermostat", "mode", bound(shown), { values: wordsOf(shown) }) : []),
    ...(shown.size < all.size ? customParts("mode", "string", bound(all), { values: wordsOf(all) }) : []),
  ];
}

function wordsOf(words: ReadonlyMap<number, Value>): string[] {
  return [...words.values()].map(String);
}

function target(entity: EspHomeEntity): EntityPart[] {
  const { step, ...range } = rangeOf(entity);
  const [min, max] = [Math.max(LOWEST, range.min ?? LOWEST), Math.min(HIGHEST, range.max ?? HIGHEST)];
  if (min > max) return [];
  return standardParts("Thermostat", "target", setsTemperature(entity, "targetTemperature", step), { min, max, step });
}

function limit(entity: EspHomeEntity, end: "Low" | "High"): EntityPart[] {
  const { min, max, step } = rangeOf(entity);
  const binding = setsTemperature(entity, `targetTemperature${end}`, step);
  return customParts(`target${end}`, "number", binding, { min, max, step, unit: "°C" });
}

/** Temperature unit of the device; undefined for an unknown one. Older firmware reports in °C. */
function scaleOf(entity: EspHomeEntity): TemperatureScale | undefined {
  return SCALES[numberTrait(entity, "temperatureUnit") ?? 0];
}

function readsTemperature(entity: EspHomeEntity, name: string): NonNullable<Binding["read"]> {
  const scale = scaleOf(entity);
  return (state) => readCelsius(state[name], scale);
}

function setsTemperature(entity: EspHomeEntity, name: string, step = 0.1): Binding {
  const [read, scale] = [readsTemperature(entity, name), scaleOf(entity)];
  if (!scale) return { read };
  const command = (value: Value): EspHomeCommand => ({
    options: { [name]: withoutNoise(inScale(Number(value), scale)) },
    isSo: (state) => near(read(state), Number(value), step / 2),
  });
  return { read, command };
}

function inScale(celsius: number, scale: TemperatureScale): number {
  if (scale === "celsius") return celsius;
  return scale === "kelvin" ? celsius - ABSOLUTE_ZERO : fahrenheitOf(celsius);
}

/** Range of the target, °C. */
function rangeOf(entity: EspHomeEntity): {
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
} {
  const scale = scaleOf(entity);
  const degrees = (name: string) => readCelsius(numberTrait(entity, name), scale) ?? undefined;
  const [min, max] = [degrees("visualMinTemperature"), degrees("visualMaxTemperature")];
  const step = numberTrait(entity, "visualTargetTemperatureStep") ?? 0;
  const range = min !== undefined && max !== undefined && min < max ? { min, max } : {};
  return { ...range, step: step > 0 ? withoutNoise(scale === "fahrenheit" ? (step * 5) / 9 : step) : undefined };
}

function targetHumidity(entity: EspHomeEntity): EntityPart[] {
  const [min, max] = [numberTrait(entity, "visualMinHumidity") ?? 0, numberTrait(entity, "visualMaxHumidity") || 100];
  const command = (value: Value) => ({
    options: { targetHumidity: Number(value) },
    isSo: (state: EntityState) => near(state.targetHumidity, Number(value), 0.5),
  });
  const binding = { read: readsPercentField("targetHumidity", 100, 1), command };
  return customParts("targetHumidity", "number", binding, { min, max, unit: "%" });
}

/** @param custom field of the state with a word of the firmware's own; while it has one, the number is invalid */
function words(
  entity: EspHomeEntity,
  name: string,
  trait: string,
  all: readonly string[],
  custom?: string,
): EntityPart[] {
  const supported = numbersTrait(entity, trait).filter((each) => all[each] !== undefined);
  if (supported.length === 0) return [];
  const known = new Map<number, Value>(supported.map((each) => [each, all[each] ?? null]));
  const number = readsWord(name, known);
  const hasOwn = (state: EntityState) => custom !== undefined && (state[custom] ?? "") !== "";
  const read = (state: EntityState) => (hasOwn(state) ? null : number(state));
  const command = (value: Value): EspHomeCommand => ({
    options: { [name]: all.indexOf(String(value)) },
    isSo: (state) => read(state) === value,
  });
  return customParts(name, "string", { read, command }, { values: wordsOf(known) });
}
