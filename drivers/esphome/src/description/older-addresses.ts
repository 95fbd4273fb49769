/**
 * Addresses of entities as an older version stored them: one index for each current or former entity of a device, by type and name. Read
 * once, then stored in the driver kit's form. Pure.
 */
import type { KeptAddresses, Thing } from "@porchlight/driver-kit";
import { CATALOGUE, OPTIONAL_PROPERTIES } from "@porchlight/shared/model";

/** Services that an entity of each type can have, besides those of its own name. */
const SERVICES: Readonly<Record<string, readonly string[]>> = {
  switch: ["Switch"],
  light: ["Switch", "LightLevel", "LightColor", "LightTemperature"],
  fan: ["Fan"],
  cover: ["Cover"],
  lock: ["Lock"],
  valve: ["Valve"],
  climate: ["Thermostat", "Temperature", "Humidity"],
  button: ["Identify"],
  event: ["Button"],
  sensor: ["Temperature", "Humidity", "Pressure", "Illuminance", "AirQuality", "Battery", "Electricity", "Signal"],
  binary_sensor: ["Motion", "Occupancy", "Contact", "WaterLeak", "Smoke", "CarbonMonoxide", "Tamper", "Battery"],
};

/**
 * @param indexes by `TYPE PART NAME`
 * @param things of the device at present; an entity that exists only in `indexes` may return, so every address that it can have is kept
 * for it
 */
export function addressesOfIndexes(indexes: Readonly<Record<string, number>>, things: readonly Thing[]): KeptAddresses {
  const present = new Map(things.map((thing) => [thing.id, thing.properties] as const));
  const of = (id: string) =>
    (present.get(id) ?? possible(id.split(" ")[0] ?? "")).map(
      ({ service, property }) => `${service}:${indexes[id]}.${property}`,
    );
  const absent = Object.keys(indexes).filter((id) => !present.has(id));
  const there = Object.keys(indexes).filter((id) => present.has(id));
  // Present entities come last, so that they win an address that an absent one could also have.
  return Object.fromEntries([...absent, ...there].map((id) => [id, of(id)]));
}

function possible(type: string): Thing["properties"] {
  return (Object.hasOwn(SERVICES, type) ? (SERVICES[type] ?? []) : []).flatMap((service) =>
    [...(CATALOGUE.get(service) ?? []), ...(OPTIONAL_PROPERTIES.get(service) ?? [])].map(({ property }) => ({
      service,
      property,
    })),
  );
}
