/** `cover`: where it is, how it moves, its target, which is what is set, its tilt, and stopping it. */
import { movesTo } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { EntityState } from "../../wire/messages.ts";
import type { EntityComponent, EntityPart } from "../esphome-property.ts";
import { customParts, flagTrait, near, readsPercentField, readsWord, setting, standardParts } from "../parts.ts";

const MOVEMENTS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [0, "stopped"],
  [1, "opening"],
  [2, "closing"],
]);
const IDLE = 0;
/** What positions are rounded to, %. */
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

/** It moves slowly: it is so when it comes closer, or is there. */
function moveTo(value: Value, state: EntityState | undefined) {
  const target = Number(value);
  const from = state && typeof state.position === "number" ? state.position * 100 : undefined;
  const isCloser = movesTo(target, from, TOLERANCE);
  const isSo = (now: EntityState) => leadsTo(now, target) || isCloser(Number(now.position) * 100);
  return { options: { position: target / 100 }, isSo };
}

/** Whether it says that it moves that way. */
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
