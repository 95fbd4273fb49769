/**
 * Which properties of a node are described, where several want the same address: a thing that once had an address keeps it, also while it is
 * gone, and no other thing is ever read or set under it.
 */
import type { DeviceAddresses, Thing } from "@porchlight/driver-kit";
import { addressKey } from "@porchlight/shared/model";
import type { ZwaveProperty } from "../classes/zwave-property.ts";

/** The kept addresses of one device. */
export interface NodeAddresses {
  readonly place: (things: readonly Thing[]) => readonly { readonly thing: Thing }[];
  readonly has: (id: string) => boolean;
}

export function addressesOf(addresses: Pick<DeviceAddresses, "place" | "hasThing">, edgeId: string): NodeAddresses {
  return {
    place: (things) => addresses.place(edgeId, things),
    has: (id) => addresses.hasThing(edgeId, id),
  };
}

/** @param properties in an order that does not depend on the order in which the server names the values: of two that are new the first wins */
export function ownedProperties(
  properties: readonly ZwaveProperty[],
  addresses: NodeAddresses,
): readonly ZwaveProperty[] {
  const wanted = properties.filter((each) => !each.isOnlyIfKept || addresses.has(each.owner ?? ""));
  const placed = new Set(addresses.place(thingsOf(wanted)).map(({ thing }) => thing.id));
  const kept = new Map<string, ZwaveProperty>();
  for (const property of wanted) {
    const { owner, insteadOf, address } = property;
    if (owner !== undefined && !placed.has(owner)) continue;
    if (insteadOf !== undefined && placed.has(insteadOf)) continue;
    const key = addressKey(address);
    if (!kept.has(key)) kept.set(key, property);
  }
  return [...kept.values()];
}

/** Properties of one owner at one index stand or fall together. */
function thingsOf(properties: readonly ZwaveProperty[]): readonly Thing[] {
  const things = new Map<string, Thing>();
  for (const { owner, address } of properties) {
    if (owner === undefined) continue;
    const { service, index, property } = address;
    const others = things.get(owner)?.properties ?? [];
    things.set(owner, {
      ...{ id: owner, index: Number(index), apart: "nowhere" },
      properties: [...others, { service, property }],
    });
  }
  return [...things.values()];
}
