/** `climate`: a thermostat of the standard modes, what it measures, and as settings all else that it can be set to. */
import type { Value } from "@porchlight/shared/model";
import type { EntityState, EspHomeEntity } from "../../wire/messages.ts";
import type { EntityComponent, EntityPart, EspHomeCommand } from "../esphome-property.ts";
import {
  customParts,
  flagTrait,
  near,
  numbersTrait,
  numberTrait,
  readsNumberField,
  readsWord,
  setting,
  standardParts,
  wordsTrait,
} from "../parts.ts";

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
/** The catalogue's, °C. */
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
        ? standardParts("Temperature", "celsius", { read: readsNumberField("currentTemperature") })
        : []),
      ...(flagTrait(entity, "supportsCurrentHumidity")
        ? standardParts("Humidity", "percent", { read: readsNumberField("currentHumidity") })
        : []),
      ...(flagTrait(entity, "supportsTargetHumidity") ? targetHumidity(entity) : []),
      ...words(entity, "fanMode", "supportedFanModes", FAN_MODES),
      ...words(entity, "swingMode", "supportedSwingModes", SWING_MODES),
      ...words(entity, "preset", "supportedPresets", PRESETS),
    ],
    isPartial: custom.length > 0,
  };
};

/** Modes that the catalogue does not have stand beside it, as a setting that has all of them. */
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
  const binding = { read: readsNumberField("targetTemperature"), command: temperature("targetTemperature", step) };
  return standardParts("Thermostat", "target", binding, { min, max, step });
}

function limit(entity: EspHomeEntity, end: "Low" | "High"): EntityPart[] {
  const { min, max, step } = rangeOf(entity);
  const name = `targetTemperature${end}`;
  const binding = { read: readsNumberField(name), command: temperature(name, step) };
  return customParts(`target${end}`, "number", binding, { min, max, step, unit: "°C" });
}

function temperature(name: string, step = 0.1) {
  return (value: Value): EspHomeCommand => ({
    options: { [name]: Number(value) },
    isSo: (state) => near(state[name], Number(value), step / 2),
  });
}

function rangeOf(entity: EspHomeEntity): {
  min?: number | undefined;
  max?: number | undefined;
  step?: number | undefined;
} {
  const [min, max] = [numberTrait(entity, "visualMinTemperature"), numberTrait(entity, "visualMaxTemperature")];
  const step = numberTrait(entity, "visualTargetTemperatureStep");
  const range = min !== undefined && max !== undefined && min < max ? { min, max } : {};
  return { ...range, step: step !== undefined && step > 0 ? step : undefined };
}

function targetHumidity(entity: EspHomeEntity): EntityPart[] {
  const [min, max] = [numberTrait(entity, "visualMinHumidity") ?? 0, numberTrait(entity, "visualMaxHumidity") || 100];
  const command = (value: Value) => ({
    options: { targetHumidity: Number(value) },
    isSo: (state: EntityState) => near(state.targetHumidity, Number(value), 0.5),
  });
  const binding = { read: readsNumberField("targetHumidity"), command };
  return customParts("targetHumidity", "number", binding, { min, max, unit: "%" });
}

function words(entity: EspHomeEntity, name: string, trait: string, all: readonly string[]): EntityPart[] {
  const supported = numbersTrait(entity, trait).filter((each) => all[each] !== undefined);
  if (supported.length === 0) return [];
  const known = new Map<number, Value>(supported.map((each) => [each, all[each] ?? null]));
  const command = (value: Value) => setting(name, all.indexOf(String(value)));
  return customParts(name, "string", { read: readsWord(name, known), command }, { values: wordsOf(known) });
}
