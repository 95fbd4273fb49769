/** Buttons: the scenes of the Central Scene class. The index of a button is the number of its scene. */
import { readOneOf } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { type NodeValue, valueKey } from "../values/node-state.ts";
import { type ClassValues, classProperty, type Mapped, type ZwaveProperty } from "./zwave-property.ts";

/** `CentralSceneKeys` of Z-Wave JS, by number. The catalogue has no event for three or more presses. */
const EVENTS = [
  [0, "press"],
  [1, "release"],
  [2, "long"],
  [3, "double"],
] as const;

export function centralScene({ values }: ClassValues): Mapped {
  return { properties: values.flatMap(button) };
}

function button({ id }: NodeValue): ZwaveProperty[] {
  const scene = Number(id.propertyKey);
  if (id.property !== "scene" || !Number.isInteger(scene) || scene < 0 || scene > 255) return [];
  const event = (raw: unknown): Value | undefined => readOneOf(raw, EVENTS) ?? undefined;
  return classProperty(scene, "Button", "event", {
    ...{ of: [id], polls: () => [], read: () => undefined, event, owner: valueKey(id) },
  });
}

/** A device repeats its report while a button is held; the driver reports it once. */
export function isHeld(value: Value): boolean {
  return value === "long";
}
