/**
 * Which indexes the endpoints of a bridged device have. Behind a bridge the numbers of endpoints may be too large for an index: each has the
 * index that it was first given. The device's own endpoint is the same thing wherever the bridge puts the device; those below it are known by
 * both numbers, since the bridge can give their numbers to others. Pure, but for what `place` keeps.
 */
import type { DeviceAddresses, Thing } from "@porchlight/driver-kit";
import type { MatterProperty } from "./matter-property.ts";

interface EndpointThing extends Thing {
  readonly of: readonly MatterProperty[];
}

/**
 * @param properties with the indexes that they have by their place in the list
 * @param root number of the endpoint that is the device
 */
export function placedProperties(
  edgeId: string,
  properties: readonly MatterProperty[],
  root: number,
  place: DeviceAddresses["place"],
): readonly MatterProperty[] {
  const things = [...Map.groupBy(properties, ({ endpoint }) => endpoint)].map(
    ([number, of]): EndpointThing => ({
      id: number === root ? "endpoint" : `endpoint ${root}/${number}`,
      properties: of.map(({ address: { service, property } }) => ({ service, property })),
      index: Number(of[0]?.address.index),
      of,
    }),
  );
  return place(edgeId, things).flatMap(({ thing, addresses }) =>
    thing.of.flatMap((property, at) => {
      const address = addresses[at];
      return address ? [{ ...property, address }] : [];
    }),
  );
}
