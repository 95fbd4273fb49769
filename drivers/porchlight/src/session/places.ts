/** The places of a node within one boot: who sits where, who came, who left. Pure, and apart because a wrong place moves the wrong lamp. */
import type { Places } from "@porchlight/shared/wire";

export interface Seat {
  readonly place: number;
  readonly edgeId: string;
}

export interface Seating {
  /** The places that are taken. */
  readonly seats: ReadonlyMap<number, string>;
  /** Who has ever had a place in this boot: it is never given to another device. */
  readonly owners: ReadonlyMap<number, string>;
}

export type SeatingChange =
  | {
      readonly kind: "changed";
      readonly seating: Seating;
      readonly left: readonly Seat[];
      readonly came: readonly Seat[];
    }
  /** A place was given to another device. */
  | { readonly kind: "contradiction"; readonly place: number };

const NOBODY: Seating = { seats: new Map(), owners: new Map() };

/** The places of a fresh boot. Duplicates and the hub's own id are ignored. DP5, "An edgeId belongs…". */
export function firstSeating(devices: Places, hubEdgeId: string): Seating {
  const change = changeSeating(NOBODY, devices, hubEdgeId);
  return change.kind === "changed" ? change.seating : NOBODY;
}

/** What a CHANGED of the same boot makes of the places. DP4, "within one boot". */
export function changeSeating(before: Seating, devices: Places, hubEdgeId: string): SeatingChange {
  const seats = new Map<number, string>();
  const owners = new Map(before.owners);
  const seated = new Set<string>([hubEdgeId]);
  for (const [place, edgeId] of devices.entries()) {
    if (edgeId === null) continue;
    if ((owners.get(place) ?? edgeId) !== edgeId) return { kind: "contradiction", place };
    owners.set(place, edgeId);
    if (seated.has(edgeId)) continue;
    seated.add(edgeId);
    seats.set(place, edgeId);
  }
  const seating: Seating = { seats, owners };
  return { kind: "changed", seating, left: missing(before, seating), came: missing(seating, before) };
}

/** The seats of `these` that are not the same in `those`. */
function missing(these: Seating, those: Seating): Seat[] {
  const seats: Seat[] = [];
  for (const [place, edgeId] of these.seats) if (those.seats.get(place) !== edgeId) seats.push({ place, edgeId });
  return seats;
}
