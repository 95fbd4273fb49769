/** Air Quality, and concentrations of substances in the air. */
import {
  type Family,
  type MatterProperty,
  own,
  type Place,
  type RawOf,
  rawNumber,
  reading,
  scaled,
} from "../matter-property.ts";

interface Unit {
  readonly name: string;
  /** Units of the same kind are convertible. */
  readonly kind: "parts" | "mass" | "particles" | "decays";
  readonly size: number;
}

/** Units by number. */
const UNITS: ReadonlyMap<unknown, Unit> = new Map<unknown, Unit>([
  [0, { name: "ppm", kind: "parts", size: 1 }],
  [1, { name: "ppb", kind: "parts", size: 1e-3 }],
  [2, { name: "ppt", kind: "parts", size: 1e-6 }],
  [3, { name: "mg/m³", kind: "mass", size: 1 }],
  [4, { name: "µg/m³", kind: "mass", size: 1e-3 }],
  [5, { name: "ng/m³", kind: "mass", size: 1e-6 }],
  [6, { name: "1/m³", kind: "particles", size: 1 }],
  [7, { name: "Bq/m³", kind: "decays", size: 1 }],
]);

interface Substance {
  /** Property of a standard class, used when the device reports the unit of that class. */
  readonly standard?: { readonly at: string; readonly unit: string };
  readonly name: string;
  /** Unit that is usual for the substance, if any. */
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
  const stated = endpoint.attribute(cluster, "measurementUnit");
  // Some devices report no unit; the usual unit of the substance then applies.
  const unit = stated === undefined ? usual : UNITS.get(stated)?.name;
  const parts = {
    of: [`${cluster}.measuredValue`, ...(stated === undefined ? [] : [`${cluster}.measurementUnit`])],
    read: (raw: RawOf) => {
      const factor = factorTo(unit, raw(cluster, "measurementUnit"));
      const value = rawNumber(raw(cluster, "measuredValue"));
      return typeof value !== "number" || factor === undefined
        ? value === undefined
          ? undefined
          : null
        : scaled(value, (number) => number * factor);
    },
  };
  return reading(place, standard?.unit === unit && standard ? standard.at : `Readings.${name}`, unit, parts);
}

/** Factor from the currently reported unit to the described one; undefined when they are not convertible. */
function factorTo(described: string | undefined, stated: unknown): number | undefined {
  // A device that never reports a unit measures in the usual one.
  if (stated === undefined) return 1;
  const [now, then] = [UNITS.get(stated), [...UNITS.values()].find(({ name }) => name === described)];
  return now && now.kind === then?.kind ? now.size / then.size : undefined;
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
