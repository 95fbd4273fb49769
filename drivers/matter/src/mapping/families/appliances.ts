/**
 * Appliances and other clusters without a standard class. The service is named after the cluster, the property after the attribute.
 * Modes, levels and commands are writable; other attributes are read-only, measurements with units and enumerations as words.
 */
import { readShare } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  type Family,
  flag,
  isNumeric,
  type MatterProperty,
  member,
  own,
  type Place,
  type RawOf,
  rawNumber,
  scaled,
} from "../matter-property.ts";
import { MEASURES, NOT_TOLD, WORDS } from "./appliance-attributes.ts";
import { modes, serviceOf } from "./appliance-modes.ts";
import { operation } from "./appliance-operation.ts";
import { settings } from "./appliance-settings.ts";

const CLUSTERS = [
  ...["modeSelect", "microwaveOvenControl", "hepaFilterMonitoring", "activatedCarbonFilterMonitoring"],
  ...["waterTankLevelMonitoring", "pumpConfigurationAndControl", "energyEvse", "deviceEnergyManagement"],
  ...["waterHeaterManagement", "mediaPlayback", "closureControl", "serviceArea"],
];
/** Attributes that every cluster has. */
const GLOBAL: ReadonlySet<string> = new Set([
  ...["clusterRevision", "featureMap", "attributeList", "eventList", "acceptedCommandList", "generatedCommandList"],
]);
const MOST = 12;

export const appliances: Family = (endpoint, index) => [
  ...[operation, modes, settings, alarms].flatMap((family) => family(endpoint, index)),
  ...CLUSTERS.filter((cluster) => endpoint.clusters.has(cluster)).flatMap((cluster) =>
    endpoint
      .attributes(cluster)
      .filter((name) => !GLOBAL.has(name) && !NOT_TOLD.has(`${cluster}.${name}`))
      .flatMap((name) => told({ endpoint, index }, cluster, name))
      .slice(0, MOST),
  ),
];

function told(place: Place, cluster: string, name: string): MatterProperty[] {
  const [service, of] = [serviceOf(cluster), [`${cluster}.${name}`]];
  const now = place.endpoint.attribute(cluster, name);
  const measure = MEASURES.get(`${cluster}.${name}`);
  if (measure && isNumeric(now)) {
    const { unit, scale = 1 } = measure;
    const read = (raw: RawOf) => {
      const value = scaled(raw(cluster, name), (number) => number * scale, 3);
      return unit === "%" ? readShare(value, 0, 100) : value;
    };
    return [own(place, service, { property: name, type: "number", unit }, { of, read })];
  }
  const words = WORDS.get(`${cluster}.${name}`);
  if (words && isNumeric(now)) {
    const read = (raw: RawOf): Value | undefined => {
      const number = rawNumber(raw(cluster, name));
      return typeof number === "number" ? (words[number] ?? null) : number;
    };
    return [own(place, service, { property: name, type: "string", values: words.filter(Boolean) }, { of, read })];
  }
  const type = typeOf(now);
  if (!type) return [];
  const read = (raw: RawOf): Value | undefined => {
    const value = raw(cluster, name);
    const plain = typeof value === "bigint" ? rawNumber(value) : value;
    if (plain === undefined) return undefined;
    return typeof plain === type ? (plain as Value) : null;
  };
  return [own(place, service, { property: name, type }, { of, read })];
}

function typeOf(value: unknown): "boolean" | "number" | "string" | undefined {
  const type = typeof value;
  if (type === "bigint") return "number";
  return type === "boolean" || type === "number" || type === "string" ? type : undefined;
}

/** Alarms of appliances, by bitmap member; a set bit is a raised alarm. */
const ALARMS: Readonly<Record<string, readonly string[]>> = {
  refrigeratorAlarm: ["doorOpen"],
  dishwasherAlarm: ["inflowError", "drainError", "doorError", "tempTooLow", "tempTooHigh", "waterLevelError"],
};

const alarms: Family = (endpoint, index) =>
  Object.entries(ALARMS).flatMap(([cluster, names]) => {
    const supported = endpoint.attribute(cluster, "supported");
    return names
      .filter((name) => endpoint.clusters.has(cluster) && member(supported, name) !== false)
      .map((property) =>
        own(
          { endpoint, index },
          serviceOf(cluster),
          { property, type: "boolean" },
          {
            of: [`${cluster}.state`],
            read: (raw) => flag(member(raw(cluster, "state"), property)),
          },
        ),
      );
  });
