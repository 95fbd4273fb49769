/**
 * Maps endpoints to properties with all families, in the order in which people look for them, and assigns indexes to the endpoints of a
 * bridged device.
 */
import type { DeviceAddresses, Thing } from "@porchlight/driver-kit";
import type { MatterEndpoint } from "../matter-network.ts";
import { air } from "./families/air.ts";
import { appliances } from "./families/appliances.ts";
import { buttons } from "./families/buttons.ts";
import { climate } from "./families/climate.ts";
import { colours } from "./families/colours.ts";
import { covers } from "./families/covers.ts";
import { fans, identify, levels, locks, switches, valves } from "./families/outputs.ts";
import { power } from "./families/power.ts";
import { sensors } from "./families/sensors.ts";
import { vendorClusters } from "./families/vendor-clusters.ts";
import type { Family, MatterProperty } from "./matter-property.ts";

const FAMILIES: readonly Family[] = [
  ...[switches, levels, colours, covers, locks, valves, climate, fans],
  ...[sensors, air, buttons, power, vendorClusters, appliances, identify],
];
/** Maximum services of a device. */
const MOST_SERVICES = 64;

/** An endpoint of a device with the index of its services. */
export interface IndexedEndpoint {
  readonly endpoint: MatterEndpoint;
  readonly index: string;
}

/** All properties of a device; its first endpoint with Identify provides the identification. */
export function describeEndpoints(endpoints: readonly IndexedEndpoint[]): readonly MatterProperty[] {
  const all = endpoints.flatMap(({ endpoint, index }) => FAMILIES.flatMap((family) => family(endpoint, index)));
  const taken = new Set<string>();
  const services = new Set<string>();
  return all.filter(({ address: { service, index, property } }) => {
    const [name, key] = [`${service}:${index}`, `${service}:${index}.${property}`];
    if (service === "Identify" && [...services].some((each) => each.startsWith("Identify:"))) return false;
    if (taken.has(key) || (!services.has(name) && services.size >= MOST_SERVICES)) return false;
    taken.add(key);
    services.add(name);
    return true;
  });
}

interface EndpointThing extends Thing {
  readonly of: readonly MatterProperty[];
}

/**
 * Assigns indexes to the endpoints of a bridged device. Endpoint numbers behind a bridge can exceed an index, so each endpoint keeps the
 * index that it first got. The device's own endpoint is identified independently of its number; endpoints below it are identified by both
 * numbers, because the bridge can reassign their numbers. Pure, except for the addresses that `place` stores.
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
