/** Parameters of the Configuration class, numbered as in the device's manual, within the known limits. */
import { readNumber } from "@porchlight/driver-kit";
import type { PropertyDescription } from "@porchlight/shared/model";
import type { NodeValue } from "../values/node-state.ts";
import { type ClassValues, type Mapped, ownProperty, unitOfValue, type ZwaveProperty } from "./zwave-property.ts";

/** Maximum properties of a service. */
const MOST = 64;

export function configuration({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => parameter(endpoint, value)).slice(0, MOST) };
}

function parameter(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const { type, readable, writeable, min, max, unit } = metadata;
  if (type !== "number" || !readable || typeof id.property !== "number") return [];
  // The bit mask names a part of a parameter.
  const mask = typeof id.propertyKey === "number" ? `-${id.propertyKey.toString(16)}` : "";
  const description: Omit<PropertyDescription, "access"> = {
    ...{ property: `parameter${id.property}${mask}`, type: "integer", unit: unitOfValue(unit) },
    ...(isRange(min, max) ? { min, max } : {}),
    ...(metadata.allowManualEntry === false ? { values: choicesOf(metadata.states) } : {}),
  };
  // A parameter without known limits is read-only, because a wrong value could be sent.
  const isSafe = isRange(min, max) || (description.values?.length ?? 0) > 0;
  return [
    ownProperty(endpoint, "Configuration", description, {
      of: [id],
      read: (raw) => readNumber(raw(id)),
      set: writeable && isSafe ? (value) => ({ at: id, value, now: value }) : undefined,
    }),
  ];
}

/** Some device files contain 0 to 0 for unknown limits. */
function isRange(min: number | undefined, max: number | undefined): boolean {
  return min !== undefined && max !== undefined && min < max;
}

function choicesOf(states: Readonly<Record<string, string>> | undefined): readonly number[] | undefined {
  const choices = Object.keys(states ?? {}).map(Number);
  return choices.length > 0 && choices.length <= MOST && choices.every(Number.isInteger) ? choices : undefined;
}
