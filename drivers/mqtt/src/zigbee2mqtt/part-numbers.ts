/** Numbers of a device's endpoints and buttons, which are indexes of its services: a part keeps its number, in whatever order it is listed. */
import type { Thing } from "@porchlight/driver-kit";
import type { PlaceThings } from "../device/device-places.ts";

/** What stands for the number of a part; no property of the device. */
const NUMBER = { service: "Part", property: "number" };

interface Part extends Thing {
  readonly name: string;
}

/** Endpoints that say their own number: `l1` and `1`. */
export const NUMBERED_ENDPOINT = /^l?([1-9]\d?)$/;
/** Buttons that say their own number. */
export const NUMBERED_BUTTON = /^([1-9]\d?)$/;

/**
 * The index of each part: of one without a name 0, of one that says its number that, of others the next number from 1 on.
 * @param names in the order of the description
 * @param numbered matches a name that says its own number
 */
export function partNumbers(
  names: readonly string[],
  numbered: RegExp,
  place: PlaceThings,
): ReadonlyMap<string, string> {
  const part = (name: string, index?: number): Part => ({
    ...{ id: name, name, properties: [NUMBER] },
    ...(index === undefined ? {} : ({ index, apart: "nowhere" } as const)),
  });
  const taken = new Set<number>([0]);
  const named = [...new Set(names)].filter((name) => name !== "");
  // 0 is kept for a part without a name.
  const parts = [
    part("", 0),
    ...named.map((name) => {
      const number = Number(numbered.exec(name)?.[1] ?? 0);
      if (taken.has(number)) return part(name);
      taken.add(number);
      return part(name, number);
    }),
  ];
  // Numbers that parts say themselves come first.
  const placed = place([
    ...parts.filter(({ index }) => index !== undefined),
    ...parts.filter(({ index }) => index === undefined),
  ]);
  return new Map(placed.flatMap(({ thing, addresses: [first] }) => (first ? [[thing.name, first.index]] : [])));
}
