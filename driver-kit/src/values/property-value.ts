/** What a description says of a value: whether it may be read or written, and whether a value that a device gave fits it. */
import {
  type Access,
  type DeviceDescription,
  findProperty,
  hasType,
  isShare,
  type PropertyAddress,
  type PropertyDescription,
  type Value,
  valueBreach,
} from "@porchlight/shared/model";
import { readShare } from "./raw-values.ts";

/** What a value that a device gave is worth; `out_of_range` is stored as it is: sensors do that. */
export type Worth = "good" | "out_of_range" | "wrong_type";

export function allows(description: PropertyDescription, access: Access): boolean {
  return description.access.includes(access);
}

/**
 * `null` is no value at present, for any type. A text of control characters can be larger as JSON
 * than any value may be: the cloud would not take it.
 */
export function worthOf(description: PropertyDescription, value: Value): Worth {
  if (value === null) return "good";
  if (!hasType(description, value) || valueBreach(value)) return "wrong_type";
  if (typeof value === "number") {
    const { min, max } = description;
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) return "out_of_range";
  }
  return "good";
}

/** An observation with the value that the hub stores; as it is if the device does not describe the property. */
export function acceptedObservation<Given extends PropertyAddress & { readonly value: Value }>(
  device: DeviceDescription | undefined,
  observation: Given,
): Given {
  const described = device && findProperty(device, observation);
  return described ? { ...observation, value: acceptedValue(observation, described, observation.value) } : observation;
}

/**
 * What the hub stores of a value that a device gave. A value of another type is no value. A share of the catalogue (a level, a position, a
 * hue, a charge) that exceeds its range by rounding is the end of the range, and further outside no value. What a sensor measures is stored
 * as it is.
 */
export function acceptedValue(
  { service }: Pick<PropertyAddress, "service">,
  description: PropertyDescription,
  value: Value,
): Value {
  const worth = worthOf(description, value);
  if (worth === "wrong_type") return null;
  const { property, min, max, type } = description;
  if (worth === "good" || typeof value !== "number" || !isShare(service, property)) return value;
  const within = readShare(value, min ?? Number.NEGATIVE_INFINITY, max ?? Number.POSITIVE_INFINITY) ?? null;
  return type === "integer" && within !== null ? Math.round(within) : within;
}
