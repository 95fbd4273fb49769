/** Checks values against a property's description: whether it may be read or written, and whether a device's value fits it. */
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

/** How far a device's value fits the description; `out_of_range` is stored unchanged, because sensors do that. */
type Worth = "good" | "out_of_range" | "wrong_type";

export function allows(description: PropertyDescription, access: Access): boolean {
  return description.access.includes(access);
}

/**
 * `null` means "no value at present", for any type. As JSON, a text of control characters can be larger than the limit for values: the
 * cloud would refuse it.
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

/** The observation with the value that the hub stores; unchanged if the device does not describe the property. */
export function acceptedObservation<Given extends PropertyAddress & { readonly value: Value }>(
  device: DeviceDescription | undefined,
  observation: Given,
): Given {
  const described = device && findProperty(device, observation);
  return described ? { ...observation, value: acceptedValue(observation, described, observation.value) } : observation;
}

/**
 * The value that the hub stores for a device's value. A value of another type is no value. A share of the catalogue (a level, a position,
 * a hue, a charge) that exceeds its range by rounding becomes the end of the range, and further outside no value. A sensor's measurement
 * is stored unchanged.
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

/**
 * Whether the values that are reported after a write show that a device moves to its target, or has reached it.
 * @param from the position when the target was set; undefined when it is not known, and the first value states it
 */
export function movesTo(target: number, from: number | undefined, tolerance: number): (now: unknown) => boolean {
  const near = tolerance + 1e-9;
  let before = from;
  return (now) => {
    if (typeof now !== "number") return false;
    const away = Math.abs(target - now);
    const isCloser = before !== undefined && away < Math.abs(target - before) - near;
    before ??= now;
    return away <= near || isCloser;
  };
}
