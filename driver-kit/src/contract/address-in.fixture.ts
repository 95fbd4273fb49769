/** Addresses as tests write them. */
import type { PropertyAddress } from "@porchlight/shared/model";

/** @param text `Switch:0.on` */
export function addressIn(text: string): PropertyAddress {
  const [service = "", index = "", property = ""] = text.split(/[:.]/);
  return { service, index, property };
}
