/**
 * Assigns indexes to the endpoints of a bridged device. Endpoint numbers behind a bridge can exceed an index, so each endpoint keeps the
 * index that it first got. The device's own endpoint is identified independently of its number; endpoints below it are identified by both
 * numbers, because the bridge can reassign their numbers. Pure, except for the addresses that `place` stores.
 */
import type { DeviceAddresses, Thing } from "@porchlight/driver-kit";
import type { MatterProperty } from "./matter-property.ts";

interface EndpointThing extends Thing {
  readonly of: readonly MatterProperty[];
}

/**
 * @param properties with indexes by their position in the list
 * @param root number of the device's own endpoint
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
