/** Entities that are set: switches, buttons, sirens, locks and valves, and numbers, choices and texts under their own names. */
import type { Value } from "@porchlight/shared/model";
import type { EntityState } from "../wire/messages.ts";
import {
  customParts,
  type EntityComponent,
  type EntityPart,
  flagTrait,
  isConfiguration,
  nameAfter,
  near,
  numberTrait,
  readsFlagField,
  readsListedField,
  readsNumberField,
  readsPercentField,
  readsWord,
  readsWordField,
  setting,
  standardParts,
  textTrait,
  unitOf,
  unlessMissing,
  wordsTrait,
} from "./esphome-property.ts";

/** A switch that configures the device becomes a setting of its own name. */
export const describeSwitch: EntityComponent = (entity) => {
  const binding = { read: readsFlagField("state"), command: (value: Value) => setting("state", value === true) };
  const parts = isConfiguration(entity)
    ? customParts(nameAfter(entity), "boolean", binding)
    : standardParts("Switch", "on", binding);
  return { parts };
};

/** A button has no state, so only the delivery of a press can be confirmed. */
export const describeButton: EntityComponent = (entity) => {
  const binding = { command: () => ({ options: {} }) };
  const parts =
    textTrait(entity, "deviceClass") === "identify"
      ? standardParts("Identify", "active", binding, { values: [true] })
      : customParts(nameAfter(entity), "boolean", binding, { values: [true] });
  return { parts };
};

export const describeSiren: EntityComponent = (entity) => {
  const tones = wordsTrait(entity, "tones");
  const on = { read: readsFlagField("state"), command: (value: Value) => setting("state", value === true) };
  return {
    parts: [...customParts("on", "boolean", on, {}, "Siren"), ...(tones.length > 0 ? tone(tones) : [])],
    isPartial: flagTrait(entity, "supportsDuration") || flagTrait(entity, "supportsVolume"),
  };
};

/** Sounds the siren with this tone; the device does not report the current tone. */
function tone(values: readonly string[]): EntityPart[] {
  const command = (value: Value) => ({
    options: { state: true, tone: String(value) },
    isSo: (state: { readonly state?: unknown }) => state.state === true,
  });
  return customParts("tone", "string", { command }, { values }, "Siren");
}

/** Lock states of the protocol; moving, jammed and unknown states are neither. */
const LOCKED: ReadonlyMap<number, Value> = new Map<number, Value>([
  [1, true],
  [2, false],
  [7, false],
]);
const JAMMED: ReadonlyMap<number, Value> = new Map<number, Value>([
  [3, true],
  ...[1, 2, 4, 5, 6, 7].map((state) => [state, false] as const),
]);
const LOCK = 1;
const UNLOCK = 0;

/** A lock that requires a code is read-only, because the hub has no code. */
export const describeLock: EntityComponent = (entity) => {
  const wantsCode = flagTrait(entity, "requiresCode");
  const read = readsWord("state", LOCKED);
  const command = (value: Value) => ({
    options: { command: value === true ? LOCK : UNLOCK },
    isSo: (state: Parameters<typeof read>[0]) => read(state) === value,
  });
  return {
    parts: [
      ...standardParts("Lock", "locked", { read, command: wantsCode ? undefined : command }),
      ...standardParts("Lock", "jammed", { read: readsWord("state", JAMMED) }),
    ],
    isPartial: wantsCode || flagTrait(entity, "supportsOpen"),
  };
};

/** Open or closed, also for a valve with a position, which becomes a setting. */
export const describeValve: EntityComponent = (entity) => {
  const part = readsPercentField("position", 1, 0);
  const isOpen = (state: EntityState) => {
    const position = part(state);
    return typeof position === "number" ? Number(state.position) > 0 : position;
  };
  const open = {
    read: isOpen,
    command: (value: Value) => ({
      options: { position: value === true ? 1 : 0 },
      isSo: (state: EntityState) => isOpen(state) === value,
    }),
  };
  const position = {
    read: part,
    command: (value: Value) => ({
      options: { position: Number(value) / 100 },
      isSo: (state: EntityState) => near(state.position, Number(value) / 100, 0.006),
    }),
  };
  return {
    parts: [
      ...standardParts("Valve", "open", open),
      ...(flagTrait(entity, "supportsPosition")
        ? customParts("valvePosition", "number", position, { min: 0, max: 100, unit: "%" })
        : []),
    ],
  };
};

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
