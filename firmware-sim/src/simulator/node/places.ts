/** Which device is where: within one boot a place is never given to another device. DP4. */
import type { Places } from "@porchlight/shared/wire";

interface Place {
  readonly edgeId: string;
  readonly present: boolean;
}

/** Every place given out in this boot, in order. */
export type Seating = readonly Place[];

/** The places of a boot that begins with these devices. */
export function seat(edgeIds: readonly string[]): Seating {
  return edgeIds.map((edgeId) => ({ edgeId, present: true }));
}

/** A device comes: to its own old place or to the end. */
export function arrive(seating: Seating, edgeId: string): Seating {
  if (seating.some((place) => place.edgeId === edgeId)) {
    return seating.map((place) => (place.edgeId === edgeId ? { edgeId, present: true } : place));
  }
  return [...seating, { edgeId, present: true }];
}

/** A device leaves: its place stays its own. */
export function leave(seating: Seating, edgeId: string): Seating {
  return seating.map((place) => (place.edgeId === edgeId ? { edgeId, present: false } : place));
}

/** `devices` as HELLO and CHANGED carry it. */
export function listed(seating: Seating): Places {
  return seating.map((place) => (place.present ? place.edgeId : null));
}

/** The edgeId of the device that is at a place now. */
export function whoIsAt(seating: Seating, place: number): string | undefined {
  const found = seating[place];
  return found?.present ? found.edgeId : undefined;
}

/** The place of a device, present or not. */
export function placeOf(seating: Seating, edgeId: string): number | undefined {
  const place = seating.findIndex((one) => one.edgeId === edgeId);
  return place < 0 ? undefined : place;
}
