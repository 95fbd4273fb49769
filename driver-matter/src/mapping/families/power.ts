/** Batteries, and what is measured of electricity. */
import {
  type Family,
  type MatterProperty,
  member,
  type Place,
  rawNumber,
  scaled,
  standard,
} from "../matter-property.ts";

const SOURCE = "powerSource";
const POWER = "electricalPowerMeasurement";
const ENERGY = "electricalEnergyMeasurement";
/** Thousandths: mW, mV, mA, mHz. */
const THOUSAND = 1000;
/** mWh of a kWh. */
const MILLION = 1_000_000;

/** Of a property, and the attribute of {@link POWER} that it is. */
const MEASURED = [
  ["watts", "activePower", 1],
  ["volts", "voltage", 1],
  ["amperes", "activeCurrent", 3],
  ["hertz", "frequency", 2],
  // Of those that measure alternating current and say its mean only.
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
          read: (raw) => scaled(raw(SOURCE, "batPercentRemaining"), (halves) => Math.min(100, halves / 2), 1),
        })
      : []),
    ...(has("batChargeLevel")
      ? standard(place, "Battery", "low", {
          of: [`${SOURCE}.batChargeLevel`],
          read: (raw) => {
            const level = rawNumber(raw(SOURCE, "batChargeLevel"));
            return typeof level === "number" ? level > 0 : level;
          },
        })
      : []),
    ...(has("batVoltage")
      ? standard(place, "Battery", "volts", {
          of: [`${SOURCE}.batVoltage`],
          // Some that do not measure it say 0.
          read: (raw) =>
            scaled(raw(SOURCE, "batVoltage") === 0 ? null : raw(SOURCE, "batVoltage"), (value) => value / THOUSAND),
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
          read: (raw) => {
            const energy = raw(ENERGY, attribute);
            return energy === null ? null : scaled(member(energy, "energy"), (value) => value / MILLION, 3);
          },
        });
  return [
    ...measured,
    ...counted("energy", "cumulativeEnergyImported"),
    ...counted("produced", "cumulativeEnergyExported"),
  ];
}
