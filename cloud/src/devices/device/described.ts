/** Descriptions as the store keeps them, made ready for the hot path. */
import { type Described, type DeviceDescription, describe } from "@porchlight/shared/model";

/** @param text the stored description: JSON that the cloud itself wrote */
export function parseDescription(text: string): Described {
  return describe(JSON.parse(text) as DeviceDescription);
}
