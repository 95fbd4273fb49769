/** `Battery` as PowerSource of the whole device, and `Electricity` as an electrical sensor. */
import type { DescribedProperty } from "@porchlight/shared/model";
import { DEVICE_TYPES, type Part, type ShownCluster, type Unclaimed, type Values } from "../parts/part.ts";
import { isTrue, numberOf, whole } from "../parts/units.ts";

const ACTIVE = 1;
const CHARGE = { ok: 0, warning: 1 };
const MOST = Number.MAX_SAFE_INTEGER;
const TYPE = { volts: 1, amperes: 2, watts: 5, hertz: 11, energy: 14 };
const ALTERNATING = 2;

/** The first battery; Matter gets only one for each device. */
export function battery(unclaimed: Unclaimed): ShownCluster | undefined {
  const [index] = unclaimed.indexes("Battery");
  if (index === undefined) return undefined;
  const percent = unclaimed.look("Battery", index, "percent");
  const low = unclaimed.look("Battery", index, "low");
  if (!percent && !low) return undefined;
  unclaimed.claim(percent, low);
  return {
    cluster: "powerSource",
    features: ["Battery"],
    attributes: (values) => {
      const isLow = isTrue(values, low);
      const halves = numberOf(values, percent);
      return {
        status: ACTIVE,
        order: 0,
        description: "Battery",
        batPercentRemaining: whole(halves === undefined ? undefined : halves * 2, 0, 200),
        batChargeLevel: isLow ? CHARGE.warning : CHARGE.ok,
        batReplacementNeeded: isLow,
        batReplaceability: 0,
        endpointList: [],
      };
    },
  };
}

export function electricity(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Electricity").flatMap((index) => {
    const of = (name: string) => {
      const found = unclaimed.look("Electricity", index, name);
      unclaimed.claim(found);
      return found?.readable ? found : undefined;
    };
    const meter = { watts: of("watts"), volts: of("volts"), amperes: of("amperes"), hertz: of("hertz") };
    const total = { energy: of("energy"), produced: of("produced") };
    const clusters: ShownCluster[] = [
      ...(Object.values(meter).some(Boolean) ? [powerCluster(meter)] : []),
      ...(total.energy || total.produced ? [energyCluster(total)] : []),
    ];
    if (clusters.length === 0) return [];
    const topology: ShownCluster = { cluster: "powerTopology", features: ["TreeTopology"], attributes: () => ({}) };
    const type = DEVICE_TYPES.electricalSensor;
    return [{ key: `electricity:${index}`, type, hasGroups: false, clusters: [topology, ...clusters] }];
  });
}

type Meter = Readonly<Record<"watts" | "volts" | "amperes" | "hertz", DescribedProperty | undefined>>;

function powerCluster({ watts, volts, amperes, hertz }: Meter): ShownCluster {
  const accuracy = [
    TYPE.watts,
    ...(volts ? [TYPE.volts] : []),
    ...(amperes ? [TYPE.amperes] : []),
    ...(hertz ? [TYPE.hertz] : []),
  ];
  return {
    cluster: "electricalPowerMeasurement",
    features: ["AlternatingCurrent"],
    attributes: (values) => ({
      powerMode: ALTERNATING,
      numberOfMeasurementTypes: accuracy.length,
      accuracy: accuracy.map(accuracyOf),
      activePower: thousandths(values, watts),
      ...(volts && { voltage: thousandths(values, volts) }),
      ...(amperes && { activeCurrent: thousandths(values, amperes) }),
      ...(hertz && { frequency: thousandths(values, hertz) }),
    }),
  };
}

interface Totals {
  readonly energy: DescribedProperty | undefined;
  readonly produced: DescribedProperty | undefined;
}

function energyCluster({ energy, produced }: Totals): ShownCluster {
  const total = (values: Values, property: DescribedProperty) => {
    const kilowattHours = numberOf(values, property);
    return kilowattHours === undefined ? null : { energy: whole(kilowattHours * 1_000_000, 0, MOST) };
  };
  return {
    cluster: "electricalEnergyMeasurement",
    features: ["CumulativeEnergy", ...(energy ? ["ImportedEnergy"] : []), ...(produced ? ["ExportedEnergy"] : [])],
    attributes: (values) => ({
      accuracy: accuracyOf(TYPE.energy),
      ...(energy && { cumulativeEnergyImported: total(values, energy) }),
      ...(produced && { cumulativeEnergyExported: total(values, produced) }),
    }),
  };
}

/** Assumes an accuracy of one percent, the usual one, because the hub does not know a device's accuracy. */
function accuracyOf(measurementType: number) {
  const range = { rangeMin: -1_000_000_000, rangeMax: 1_000_000_000, percentMax: 100 };
  return {
    measurementType,
    measured: true,
    minMeasuredValue: range.rangeMin,
    maxMeasuredValue: range.rangeMax,
    accuracyRanges: [range],
  };
}

function thousandths(values: Values, property: DescribedProperty | undefined): number | null {
  const value = numberOf(values, property);
  return whole(value === undefined ? undefined : value * 1000, -MOST, MOST);
}
