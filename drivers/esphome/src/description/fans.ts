/** `fan`: on and speed, in steps of the device's own; preset, direction and oscillation are settings. */
import { levelOf } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  type Binding,
  customParts,
  type EntityComponent,
  type EntityPart,
  flagTrait,
  numberTrait,
  readsFlagField,
  readsListedField,
  readsPercentField,
  readsWord,
  setting,
  standardParts,
  wordsTrait,
} from "./esphome-property.ts";

const DIRECTIONS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [0, "forward"],
  [1, "reverse"],
]);

export const describeFan: EntityComponent = (entity) => {
  const steps = numberTrait(entity, "supportedSpeedCount") ?? 0;
  const presets = wordsTrait(entity, "supportedPresetModes");
  const on = { read: readsFlagField("state"), command: (value: Value) => setting("state", value === true) };
  return {
    parts: [
      ...standardParts("Fan", "on", on),
      ...(flagTrait(entity, "supportsSpeed") && steps > 0 ? speed(steps) : []),
      ...(presets.length > 0 ? preset(presets) : []),
      ...(flagTrait(entity, "supportsOscillation") ? oscillation() : []),
      ...(flagTrait(entity, "supportsDirection") ? direction() : []),
    ],
  };
};

function speed(steps: number): EntityPart[] {
  const binding: Binding = {
    read: readsPercentField("speedLevel", steps, 4),
    command: (value) => setting("speedLevel", levelOf(Number(value), steps)),
  };
  // The lowest speed is step 1, because off is not a speed.
  return standardParts("Fan", "speed", binding, { min: 1 });
}

function preset(values: readonly string[]): EntityPart[] {
  const read = readsListedField("presetMode", values);
  const command = (value: Value) => setting("presetMode", String(value));
  return customParts("preset", "string", { read, command }, { values });
}

function oscillation(): EntityPart[] {
  const command = (value: Value) => setting("oscillating", value === true);
  return customParts("oscillation", "boolean", { read: readsFlagField("oscillating"), command });
}

function direction(): EntityPart[] {
  const command = (value: Value) => setting("direction", value === "reverse" ? 1 : 0);
  return customParts(
    "direction",
    "string",
    { read: readsWord("direction", DIRECTIONS), command },
    { values: ["forward", "reverse"] },
  );
}
