/** Maps endpoints to properties with all families, in the order in which people look for them. Pure. */
import type { MatterEndpoint } from "../matter-network.ts";
import { air } from "./families/air.ts";
import { appliances } from "./families/appliances.ts";
import { buttons } from "./families/buttons.ts";
import { climate } from "./families/climate.ts";
import { colours } from "./families/colours.ts";
import { covers } from "./families/covers.ts";
import { fans } from "./families/fans.ts";
import { identify } from "./families/identify.ts";
import { levels } from "./families/levels.ts";
import { locks } from "./families/locks.ts";
import { power } from "./families/power.ts";
import { sensors } from "./families/sensors.ts";
import { switches } from "./families/switches.ts";
import { valves } from "./families/valves.ts";
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
