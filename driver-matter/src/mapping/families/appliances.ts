/**
 * Appliances, and what else has no class of ours: what they say of themselves is read, nothing is set. A service has the name of its cluster,
 * a property that of its attribute; a word of the protocol is its number.
 */
import type { Value } from "@porchlight/shared/model";
import { type Family, type MatterProperty, own } from "../matter-property.ts";

const CLUSTERS = [
  ...["modeSelect", "operationalState", "rvcOperationalState", "rvcRunMode", "rvcCleanMode"],
  ...["ovenMode", "ovenCavityOperationalState", "microwaveOvenMode", "microwaveOvenControl"],
  ...["laundryWasherMode", "laundryWasherControls", "laundryDryerControls", "dishwasherMode", "dishwasherAlarm"],
  ...["refrigeratorAlarm", "refrigeratorAndTemperatureControlledCabinetMode", "temperatureControl"],
  ...["hepaFilterMonitoring", "activatedCarbonFilterMonitoring", "pumpConfigurationAndControl"],
  ...["energyEvse", "energyEvseMode", "deviceEnergyManagement", "waterHeaterManagement", "waterHeaterMode"],
  ...["waterTankLevelMonitoring", "mediaPlayback", "closureControl", "serviceArea"],
];
/** What every cluster says of itself. */
const GLOBAL: ReadonlySet<string> = new Set([
  ...["clusterRevision", "featureMap", "attributeList", "eventList", "acceptedCommandList", "generatedCommandList"],
]);
const MOST = 12;

export const appliances: Family = (endpoint, index) =>
  CLUSTERS.filter((cluster) => endpoint.clusters.has(cluster)).flatMap((cluster) => {
    const names = endpoint.attributes(cluster).filter((name) => !GLOBAL.has(name));
    const service = `${cluster.charAt(0).toUpperCase()}${cluster.slice(1)}`;
    return names.flatMap((name) => simple({ endpoint, index }, service, cluster, name)).slice(0, MOST);
  });

function simple(place: Parameters<typeof own>[0], service: string, cluster: string, name: string): MatterProperty[] {
  const type = typeOf(place.endpoint.attribute(cluster, name));
  if (!type) return [];
  const read = (raw: (cluster: string, attribute: string) => unknown): Value | undefined => {
    const value = raw(cluster, name);
    const plain = typeof value === "bigint" ? Number(value) : value;
    if (plain === null) return null;
    return typeof plain === type ? (plain as Value) : undefined;
  };
  return [own(place, service, { property: name, type }, { of: [`${cluster}.${name}`], read })];
}

function typeOf(value: unknown): "boolean" | "number" | "string" | undefined {
  const type = typeof value;
  if (type === "bigint") return "number";
  return type === "boolean" || type === "number" || type === "string" ? type : undefined;
}
