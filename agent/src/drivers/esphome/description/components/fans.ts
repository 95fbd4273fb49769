/** `fan`: on, its speed of the device's own steps, and as settings its preset, its direction, and whether it oscillates. */
import type { Value } from "@porchlight/shared/model";
import { levelOf, percentOf } from "../../../kit/index.ts";
import type { Binding, EntityComponent, EntityPart } from "../esphome-property.ts";
import {
  customParts,
  flagTrait,
  numberTrait,
  readsField,
  readsNumberField,
  readsWord,
  setting,
  standardParts,
  wordsTrait,
} from "../parts.ts";

const DIRECTIONS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [0, "forward"],
  [1, "reverse"],
]);

export const describeFan: EntityComponent = (entity) => {
  const steps = numberTrait(entity, "supportedSpeedCount") ?? 0;
  const presets = wordsTrait(entity, "supportedPresetModes");
  const on = { read: readsField("state"), command: (value: Value) => setting("state", value === true) };
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
    read: readsNumberField("speedLevel", (level) => percentOf(level, steps)),
    command: (value) => setting("speedLevel", levelOf(Number(value), steps)),
  };
  // The lowest level is the first: off is no speed.
  return standardParts("Fan", "speed", binding, { min: 1 });
}

function preset(values: readonly string[]): EntityPart[] {
  const read = ({ presetMode }: { readonly presetMode?: unknown }) =>
    typeof presetMode === "string" && presetMode !== "" ? presetMode : null;
  const command = (value: Value) => setting("presetMode", String(value));
  return customParts("preset", "string", { read, command }, { values });
}

function oscillation(): EntityPart[] {
  const command = (value: Value) => setting("oscillating", value === true);
  return customParts("oscillation", "boolean", { read: readsField("oscillating"), command });
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
