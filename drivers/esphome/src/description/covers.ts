/** `cover`: position, movement, a write-only target, tilt, and stop. */
import { movesTo } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { EntityState } from "../wire/messages.ts";
import {
  customParts,
  type EntityComponent,
  type EntityPart,
  flagTrait,
  near,
  readsPercentField,
  readsWord,
  setting,
  standardParts,
} from "./esphome-property.ts";

const MOVEMENTS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [0, "stopped"],
  [1, "opening"],
  [2, "closing"],
]);
const IDLE = 0;
/** Tolerance for rounded positions, %. */
const TOLERANCE = 0.6;

export const describeCover: EntityComponent = (entity) => {
  const hasPosition = flagTrait(entity, "supportsPosition");
  const range = hasPosition ? {} : { values: [0, 100] };
  return {
    parts: [
      ...standardParts("Cover", "position", { read: readsPercentField("position", 1, 0) }, range),
      ...standardParts("Cover", "target", { command: moveTo }, range),
      ...standardParts("Cover", "movement", { read: readsWord("currentOperation", MOVEMENTS) }),
      ...(flagTrait(entity, "supportsTilt") ? tilt() : []),
      ...(flagTrait(entity, "supportsStop") ? stop() : []),
    ],
  };
};

/** A cover moves slowly: the command is confirmed once the cover approaches its target or has reached it. */
function moveTo(value: Value, state: EntityState | undefined) {
  const target = Number(value);
  const from = state && typeof state.position === "number" ? state.position * 100 : undefined;
  const isCloser = movesTo(target, from, TOLERANCE);
  const isSo = (now: EntityState) => leadsTo(now, target) || isCloser(Number(now.position) * 100);
  return { options: { position: target / 100 }, isSo };
}

/** Whether the reported movement leads to the target. */
function leadsTo({ currentOperation, position }: EntityState, target: number): boolean {
  const at = Number(position) * 100;
  if (currentOperation === 1) return target > at + TOLERANCE;
  return currentOperation === 2 && target < at - TOLERANCE;
}

function tilt(): EntityPart[] {
  const command = (value: Value) => ({
    options: { tilt: Number(value) / 100 },
    isSo: (state: EntityState) => near(state.tilt, Number(value) / 100, TOLERANCE / 100),
  });
  return customParts(
    "tilt",
    "number",
    { read: readsPercentField("tilt", 1, 0), command },
    { min: 0, max: 100, unit: "%" },
  );
}

function stop(): EntityPart[] {
  const command = () => ({
    ...setting("stop", true),
    isSo: ({ currentOperation }: EntityState) => currentOperation === IDLE,
  });
  return customParts("stop", "boolean", { command }, { values: [true] });
}
