/** Parameters of the Configuration class, each by its number, as the device's manual has them: within the limits that are known. */
import { readNumber } from "@porchlight/driver-kit";
import type { PropertyDescription } from "@porchlight/shared/model";
import type { NodeValue } from "../values/node-state.ts";
import { type ClassValues, type Mapped, ownProperty, unitOfValue, type ZwaveProperty } from "./zwave-property.ts";

/** As many as a service may have properties. */
const MOST = 64;

export function configuration({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => parameter(endpoint, value)).slice(0, MOST) };
}

function parameter(endpoint: number, { id, metadata }: NodeValue): ZwaveProperty[] {
  const { type, readable, writeable, min, max, unit } = metadata;
  if (type !== "number" || !readable || typeof id.property !== "number") return [];
  // A part of a parameter is named by its bit mask.
  const mask = typeof id.propertyKey === "number" ? `-${id.propertyKey.toString(16)}` : "";
  const description: Omit<PropertyDescription, "access"> = {
    ...{ property: `parameter${id.property}${mask}`, type: "integer", unit: unitOfValue(unit) },
    ...(isRange(min, max) ? { min, max } : {}),
    ...(metadata.allowManualEntry === false ? { values: choicesOf(metadata.states) } : {}),
  };
  // Without limits that are known, a wrong value could be sent: such a parameter is only read.
  const isSafe = isRange(min, max) || (description.values?.length ?? 0) > 0;
  return [
    ownProperty(endpoint, "Configuration", description, {
      of: [id],
      read: (raw) => readNumber(raw(id)),
      set: writeable && isSafe ? (value) => ({ at: id, value, now: value }) : undefined,
    }),
  ];
}

/** Some files of devices have 0 to 0, which stands for "not known". */
function isRange(min: number | undefined, max: number | undefined): boolean {
  return min !== undefined && max !== undefined && min < max;
}

function choicesOf(states: Readonly<Record<string, string>> | undefined): readonly number[] | undefined {
  const choices = Object.keys(states ?? {}).map(Number);
  return choices.length > 0 && choices.length <= MOST && choices.every(Number.isInteger) ? choices : undefined;
}
