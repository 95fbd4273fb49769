/**
 * The addresses of a device's features. A feature keeps the address that it was first given, by its place in the device's messages: a later
 * version of zigbee2mqtt lists features in another order, or new ones before them.
 */
import type { PropertyAddress } from "@porchlight/shared/model";
import type { PlaceThings } from "../device/device-places.ts";

/** Something of a device that has one or several properties at one index. */
export interface PlacedPart {
  /** Where it stands in the device's messages. */
  readonly path: readonly string[];
  /** How often the same path has come before in the description. */
  readonly occurrence: number;
  readonly service: string;
  readonly properties: readonly string[];
  readonly index: string;
}

/** @param apart `nowhere`: it is left out where another thing has had its address; `name`: then it has another name */
export function placeParts<T extends PlacedPart>(
  parts: readonly T[],
  apart: "name" | "nowhere",
  place: PlaceThings,
): ReadonlyMap<T, readonly PropertyAddress[]> {
  const things = parts.map((part) => {
    const { path, occurrence, service, properties, index } = part;
    // What it is belongs to its ID: a temperature that comes in another unit one day is another thing.
    const what = apart === "nowhere" ? `${service}.${properties.join(",")}` : service;
    const id = [path.join("."), ...(occurrence > 0 ? [String(occurrence + 1)] : []), what].join(" ");
    return { part, id, apart, index: Number(index), properties: properties.map((property) => ({ service, property })) };
  });
  return new Map(place(things).map(({ thing, addresses }) => [thing.part, addresses]));
}
