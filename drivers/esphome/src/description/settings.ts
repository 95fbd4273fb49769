/** Writable numbers, choices and texts: settings under their own names. */
import type { Value } from "@porchlight/shared/model";
import type { EntityState } from "../wire/messages.ts";
import type { EntityComponent } from "./esphome-property.ts";
import {
  customParts,
  nameAfter,
  near,
  numberTrait,
  readsListedField,
  readsNumberField,
  readsWordField,
  setting,
  unitOf,
  unlessMissing,
  wordsTrait,
} from "./parts.ts";

export const describeNumber: EntityComponent = (entity) => {
  const [min, max] = [numberTrait(entity, "minValue"), numberTrait(entity, "maxValue")];
  const step = numberTrait(entity, "step");
  const isRange = min !== undefined && max !== undefined && min < max;
  const tolerance = step !== undefined && step > 0 ? step / 2 : 1e-3;
  const command = (value: Value) => ({
    options: { state: Number(value) },
    isSo: ({ state, missingState }: EntityState) => missingState !== true && near(state, Number(value), tolerance),
  });
  const limits = {
    unit: unitOf(entity),
    ...(isRange ? { min, max } : {}),
    step: step !== undefined && step > 0 ? step : undefined,
  };
  return {
    parts: customParts(
      nameAfter(entity),
      "number",
      { read: unlessMissing(readsNumberField("state")), command },
      limits,
    ),
  };
};

export const describeSelect: EntityComponent = (entity) => {
  const values = wordsTrait(entity, "options");
  const command = (value: Value) => setting("state", String(value));
  return {
    parts: customParts(
      nameAfter(entity),
      "string",
      { read: unlessMissing(readsListedField("state", values)), command },
      { values },
    ),
  };
};

export const describeText: EntityComponent = (entity) => {
  const command = (value: Value) => setting("state", String(value));
  return { parts: customParts(nameAfter(entity), "string", { read: unlessMissing(readsWordField("state")), command }) };
};
