/** What entities are called: English words made of the names of services and properties. */
import type { PropertyAddress } from "@porchlight/shared/model";
import { STANDARD_NAMES } from "./standard-readings.ts";

/** Services whose properties have names of their own. */
const WITHOUT_SERVICE = new Set(["Settings", "Readings"]);

/** `Temperature`, `Power on behavior`, `Switch watts 1`: an index that is not 0 stands behind. */
export function nameOf(address: PropertyAddress): string {
  const { service, index, property } = address;
  const standard = STANDARD_NAMES.get(`${service}.${property}`);
  const own = WITHOUT_SERVICE.has(service) ? inWords(property) : inWords(`${service}-${property}`);
  return withIndex(standard ?? own, index);
}

export function withIndex(name: string, index: string): string {
  return index === "0" ? name : `${name} ${index}`;
}

/** Tells an entity of one property apart from the others of its device. */
export function objectOf({ service, index, property }: PropertyAddress): string {
  return `${service}_${index}_${property}`;
}

/** `powerOnBehavior` as `Power on behavior`. */
function inWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_-]+/g, " ");
  const lower = words.trim().toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}
