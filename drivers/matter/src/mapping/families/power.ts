/** Batteries and electrical measurements. */
import { readEither } from "@porchlight/driver-kit";
import { type Family, type MatterProperty, member, type Place, percent, scaled, standard } from "../matter-property.ts";

const SOURCE = "powerSource";
const POWER = "electricalPowerMeasurement";
const ENERGY = "electricalEnergyMeasurement";
/** Halves of a percent of a full battery. */
const HALVES = 200;
const NO_VOLTAGE = [0, 0xffff, 0xffff_ffff];
/** Milli-units: mW, mV, mA, mHz. */
const THOUSAND = 1000;
/** mWh of a kWh. */
const MILLION = 1_000_000;

/** Properties, each with its attribute of {@link POWER}. */
const MEASURED = [
  ["watts", "activePower", 1],
  ["volts", "voltage", 1],
  ["amperes", "activeCurrent", 3],
  ["hertz", "frequency", 2],
  // Devices that measure alternating current and report only its mean.
  ["volts", "rmsVoltage", 1],
  ["amperes", "rmsCurrent", 3],
] as const;

export const power: Family = (endpoint, index) => {
  const place = { endpoint, index };
  return [...battery(place), ...electricity(place)];
};

function battery(place: Place): MatterProperty[] {
  const { endpoint } = place;
  if (!endpoint.clusters.has(SOURCE) || !endpoint.features(SOURCE).has("battery")) return [];
  const has = (attribute: string) => endpoint.attribute(SOURCE, attribute) !== undefined;
  return [
    ...(has("batPercentRemaining")
      ? standard(place, "Battery", "percent", {
          of: [`${SOURCE}.batPercentRemaining`],
          read: (raw) => percent(raw(SOURCE, "batPercentRemaining"), HALVES),
        })
      : []),
    ...(has("batChargeLevel")
      ? standard(place, "Battery", "low", {
          of: [`${SOURCE}.batChargeLevel`],
          // 1 is a warning, 2 is critical.
          read: (raw) => readEither(raw(SOURCE, "batChargeLevel"), [1, 2], [0]),
        })
      : []),
    ...(has("batVoltage")
      ? standard(place, "Battery", "volts", {
          of: [`${SOURCE}.batVoltage`],
          // Some devices without a measurement report 0.
          read: (raw) => scaled(raw(SOURCE, "batVoltage"), (value) => value / THOUSAND, 2, NO_VOLTAGE),
        })
      : []),
  ];
}

function electricity(place: Place): MatterProperty[] {
  const { endpoint } = place;
  const measured = MEASURED.flatMap(([property, attribute, digits]) =>
    endpoint.attribute(POWER, attribute) === undefined
      ? []
      : standard(place, "Electricity", property, {
          of: [`${POWER}.${attribute}`],
          read: (raw) => scaled(raw(POWER, attribute), (value) => value / THOUSAND, digits),
        }),
  );
  const counted = (property: string, attribute: string) =>
    endpoint.attribute(ENERGY, attribute) === undefined
      ? []
      : standard(place, "Electricity", property, {
          of: [`${ENERGY}.${attribute}`],
          read: (raw) => scaled(member(raw(ENERGY, attribute), "energy"), (value) => value / MILLION, 3),
        });
  return [
    ...measured,
    ...counted("energy", "cumulativeEnergyImported"),
    ...counted("produced", "cumulativeEnergyExported"),
  ];
}
