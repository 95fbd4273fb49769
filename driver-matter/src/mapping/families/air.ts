/** Air Quality and the concentrations of what is in the air. */
import { type Family, type MatterProperty, own, type Place, rawNumber, reading, scaled } from "../matter-property.ts";

/** By the number of the unit. */
const UNITS: ReadonlyMap<unknown, string> = new Map([
  [0, "ppm"],
  [1, "ppb"],
  [2, "ppt"],
  [3, "mg/m³"],
  [4, "µg/m³"],
  [5, "ng/m³"],
  [6, "1/m³"],
  [7, "Bq/m³"],
]);

interface Substance {
  /** Where it is in a standard class, when it has the unit of that class. */
  readonly standard?: { readonly at: string; readonly unit: string };
  readonly name: string;
  /** In which people know it, where there is one. */
  readonly usual?: string;
}

const SUBSTANCES: Readonly<Record<string, Substance>> = {
  carbonDioxide: { standard: { at: "AirQuality.co2", unit: "ppm" }, name: "co2", usual: "ppm" },
  pm25: { standard: { at: "AirQuality.pm25", unit: "µg/m³" }, name: "pm25", usual: "µg/m³" },
  totalVolatileOrganicCompounds: { standard: { at: "AirQuality.voc", unit: "ppb" }, name: "voc" },
  carbonMonoxide: { name: "co" },
  formaldehyde: { name: "formaldehyde" },
  nitrogenDioxide: { name: "nitrogenDioxide" },
  ozone: { name: "ozone" },
  pm1: { name: "pm1", usual: "µg/m³" },
  pm10: { name: "pm10", usual: "µg/m³" },
  radon: { name: "radon" },
};

const QUALITIES: ReadonlyMap<number, string> = new Map([
  [1, "good"],
  [2, "fair"],
  [3, "moderate"],
  [4, "poor"],
  [5, "veryPoor"],
  [6, "extremelyPoor"],
]);

export const air: Family = (endpoint, index) => {
  const place = { endpoint, index };
  const concentrations = Object.entries(SUBSTANCES).flatMap(([name, substance]) =>
    concentration(place, `${name}ConcentrationMeasurement`, substance),
  );
  return [...concentrations, ...quality(place)];
};

function concentration(place: Place, cluster: string, substance: Substance): MatterProperty[] {
  const { endpoint } = place;
  const { standard, name, usual } = substance;
  if (!endpoint.clusters.has(cluster) || endpoint.attribute(cluster, "measuredValue") === undefined) return [];
  const said = endpoint.attribute(cluster, "measurementUnit");
  // There are devices that do not say it: then it is the one in which people know the substance.
  const unit = said === undefined ? usual : UNITS.get(said);
  const parts = {
    of: [`${cluster}.measuredValue`],
    read: (raw: (cluster: string, attribute: string) => unknown) =>
      scaled(raw(cluster, "measuredValue"), (value) => value),
  };
  return reading(place, standard?.unit === unit && standard ? standard.at : `Readings.${name}`, unit, parts);
}

function quality(place: Place): MatterProperty[] {
  if (!place.endpoint.clusters.has("airQuality")) return [];
  const values = [...QUALITIES.values()];
  return [
    own(
      place,
      "Readings",
      { property: "airQuality", type: "string", values },
      {
        of: ["airQuality.airQuality"],
        read: (raw) => {
          const number = rawNumber(raw("airQuality", "airQuality"));
          return typeof number === "number" ? (QUALITIES.get(number) ?? null) : number;
        },
      },
    ),
  ];
}
