/** Sensors, binary sensors, text sensors and events: read-only entities. */
import { binarySensorClass, buttonEventOf, sensorClass } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import type { EspHomeEntity } from "../wire/messages.ts";
import {
  customParts,
  type EntityComponent,
  type EntityPart,
  isDiagnostic,
  nameAfter,
  readsFlagField,
  readsNumberField,
  readsTextField,
  standardParts,
  textTrait,
  unitOf,
  unlessMissing,
  wordsTrait,
} from "./esphome-property.ts";

export const describeSensor: EntityComponent = (entity) => {
  const unit = unitOf(entity);
  const standard = sensorClass(textTrait(entity, "deviceClass"), unit, isDiagnostic(entity));
  if (standard) {
    const { service, property, convert } = standard;
    return { parts: standardParts(service, property, { read: unlessMissing(readsNumberField("state", convert)) }) };
  }
  return {
    parts: customParts(nameAfter(entity), "number", { read: unlessMissing(readsNumberField("state")) }, { unit }),
  };
};

export const describeBinarySensor: EntityComponent = (entity) => {
  const standard = binarySensorClass(textTrait(entity, "deviceClass"));
  const binding = { read: unlessMissing(readsFlagField("state")) };
  if (standard) return { parts: standardParts(standard.service, standard.property, binding) };
  return { parts: customParts(nameAfter(entity), "boolean", binding) };
};

export const describeTextSensor: EntityComponent = (entity) => ({
  parts: customParts(nameAfter(entity), "string", { read: unlessMissing(readsTextField("state")) }),
});

/** Presses of a button in the catalogue's words, and any other event in its own. */
export const describeEvent: EntityComponent = (entity) => {
  const types = wordsTrait(entity, "eventTypes");
  const presses = new Map(
    types.flatMap((type) => {
      const press = buttonEventOf(type);
      return press?.button === "" ? [[type, press.word] as const] : [];
    }),
  );
  const others = types.filter((type) => !presses.has(type));
  return { parts: [...button(presses), ...(others.length > 0 ? ownEvents(entity, others) : [])] };
};

function button(presses: ReadonlyMap<string, string>): EntityPart[] {
  if (presses.size === 0) return [];
  const values = ["press", "release", "double", "long"].filter((word) => [...presses.values()].includes(word));
  return standardParts("Button", "event", { event: ({ eventType }) => presses.get(String(eventType)) }, { values });
}

function ownEvents(entity: EspHomeEntity, values: readonly string[]): EntityPart[] {
  const known = new Set(values);
  const stated = (type: Value | undefined) => (typeof type === "string" && known.has(type) ? type : undefined);
  return customParts(nameAfter(entity), "string", { event: ({ eventType }) => stated(eventType) }, { values });
}
