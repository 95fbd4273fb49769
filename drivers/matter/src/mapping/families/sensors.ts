/** Measurements and binary detectors. */
import { readEither } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import {
  celsius,
  type Family,
  flag,
  type MatterProperty,
  member,
  NULL_8,
  NULL_16,
  NULL_S16,
  own,
  type Place,
  reading,
  scaled,
  standard,
} from "../matter-property.ts";

interface Measurement {
  readonly at: string;
  readonly unit: string;
  readonly scale: (value: number) => number;
  /** Values that mean `null` in firmware without nulls. */
  readonly markers: readonly number[];
}

/** Clusters with a `measuredValue`. Illuminance is logarithmic; 0 means "too low to be measured". */
const MEASUREMENTS: Readonly<Record<string, Measurement>> = {
  temperatureMeasurement: { at: "Temperature.celsius", unit: "°C", scale: (value) => value / 100, markers: NULL_S16 },
  relativeHumidityMeasurement: { at: "Humidity.percent", unit: "%", scale: (value) => value / 100, markers: NULL_16 },
  pressureMeasurement: { at: "Pressure.hectopascal", unit: "hPa", scale: (value) => value, markers: NULL_S16 },
  illuminanceMeasurement: {
    at: "Illuminance.lux",
    unit: "lx",
    scale: (value) => (value === 0 ? 0 : 10 ** ((value - 1) / 10_000)),
    markers: NULL_16,
  },
  flowMeasurement: { at: "Readings.flow", unit: "m³/h", scale: (value) => value / 10, markers: NULL_16 },
  soilMeasurement: { at: "Readings.soilMoisture", unit: "%", scale: (value) => value, markers: NULL_8 },
};

/** Boolean State, by the device type of its endpoint; `isTurned` inverts it for properties with the opposite meaning. */
const BOOLEAN_STATES: ReadonlyMap<number, { readonly at: string; readonly isTurned: boolean }> = new Map([
  [0x0015, { at: "Contact.open", isTurned: true }],
  [0x0043, { at: "WaterLeak.detected", isTurned: false }],
  [0x0041, { at: "Readings.freeze", isTurned: false }],
  [0x0044, { at: "Readings.rain", isTurned: false }],
]);

export const sensors: Family = (endpoint, index) => {
  const place = { endpoint, index };
  return [
    ...Object.entries(MEASUREMENTS).flatMap(([cluster, measurement]) => measured(place, cluster, measurement)),
    ...occupancy(place),
    ...booleanState(place),
    ...smoke(place),
  ];
};

function measured(place: Place, cluster: string, { at, unit, scale, markers }: Measurement): MatterProperty[] {
  if (!place.endpoint.clusters.has(cluster)) return [];
  const attribute = cluster === "soilMeasurement" ? "soilMoistureMeasuredValue" : "measuredValue";
  return reading(place, at, unit, {
    of: [`${cluster}.${attribute}`],
    read: (raw) =>
      unit === "°C" ? celsius(raw(cluster, attribute)) : scaled(raw(cluster, attribute), scale, 2, markers),
  });
}

function occupancy(place: Place): MatterProperty[] {
  if (!place.endpoint.clusters.has("occupancySensing")) return [];
  return standard(place, "Occupancy", "occupied", {
    of: ["occupancySensing.occupancy"],
    read: (raw) => flag(member(raw("occupancySensing", "occupancy"), "occupied")),
  });
}

function booleanState(place: Place): MatterProperty[] {
  const { endpoint } = place;
  if (!endpoint.clusters.has("booleanState")) return [];
  const known = endpoint.deviceTypes.flatMap((type) => BOOLEAN_STATES.get(type) ?? [])[0];
  const { at, isTurned } = known ?? { at: "Readings.state", isTurned: false };
  const [service = "", property = ""] = at.split(".");
  const parts = {
    of: ["booleanState.stateValue"],
    read: (raw: (cluster: string, attribute: string) => unknown): Value | undefined => {
      const state = flag(raw("booleanState", "stateValue"));
      return typeof state === "boolean" && isTurned ? !state : state;
    },
  };
  if (service !== "Readings") return standard(place, service, property, parts);
  return [own(place, service, { property, type: "boolean" }, parts)];
}

function smoke(place: Place): MatterProperty[] {
  if (!place.endpoint.clusters.has("smokeCoAlarm")) return [];
  const features = place.endpoint.features("smokeCoAlarm");
  const alarm = (service: string, attribute: string) =>
    standard(place, service, "detected", {
      of: [`smokeCoAlarm.${attribute}`],
      // 1 is a warning, 2 is critical.
      read: (raw) => readEither(raw("smokeCoAlarm", attribute), [1, 2], [0]),
    });
  return [
    ...(features.has("smokeAlarm") ? alarm("Smoke", "smokeState") : []),
    ...(features.has("coAlarm") ? alarm("CarbonMonoxide", "coState") : []),
  ];
}
