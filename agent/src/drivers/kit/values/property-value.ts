/** What a description says of a value: whether it may be read or written, and whether a value that a device gave fits it. */
import { type Access, hasType, type PropertyDescription, type Value, valueBreach } from "@porchlight/shared/model";

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
