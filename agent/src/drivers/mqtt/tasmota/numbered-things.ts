/** Addresses of relays and shutters, which Tasmota numbers. */
import type { PlacedThing, Thing } from "../../kit/index.ts";
import type { PlaceThings } from "../device/device-places.ts";

/** A thing whose preferred index is another's gets the lowest index that is free. */
export function placeNumbered<T extends Thing>(things: readonly T[], place: PlaceThings): readonly PlacedThing<T>[] {
  const placed = place(things);
  if (placed.length === things.length) return placed;
  const own = new Set<T>(placed.map(({ thing }) => thing));
  return place(things.map((thing) => (own.has(thing) ? thing : { ...thing, index: undefined })));
}
