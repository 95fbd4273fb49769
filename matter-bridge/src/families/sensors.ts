/** Measurements: temperature, humidity, pressure, light and air. */
import type { DescribedProperty } from "@porchlight/shared/model";
import {
  type ClusterName,
  DEVICE_TYPES,
  type DeviceType,
  type Part,
  type ShownCluster,
  type Unclaimed,
} from "../parts/part.ts";
import { numberOf, whole } from "../parts/units.ts";

interface Measured {
  readonly service: string;
  readonly property: string;
  readonly key: string;
  readonly type: DeviceType;
  readonly cluster: ClusterName;
  /** Converts the hub's number to Matter's, between `least` and `most`. */
  readonly scale: (value: number) => number;
  readonly least: number;
  readonly most: number;
}

const MEASURED: readonly Measured[] = [
  {
    ...{ service: "Temperature", property: "celsius", key: "temperature", type: DEVICE_TYPES.temperatureSensor },
    ...{ cluster: "temperatureMeasurement", scale: (celsius) => celsius * 100, least: -27_315, most: 32_767 },
  },
  {
    ...{ service: "Humidity", property: "percent", key: "humidity", type: DEVICE_TYPES.humiditySensor },
    ...{ cluster: "relativeHumidityMeasurement", scale: (percent) => percent * 100, least: 0, most: 10_000 },
  },
  {
    ...{ service: "Pressure", property: "hectopascal", key: "pressure", type: DEVICE_TYPES.pressureSensor },
    ...{ cluster: "pressureMeasurement", scale: (hectopascal) => hectopascal, least: -32_767, most: 32_767 },
  },
  {
    ...{ service: "Illuminance", property: "lux", key: "illuminance", type: DEVICE_TYPES.lightSensor },
    // Matter's logarithmic scale; 0 means too dark to measure.
    ...{ cluster: "illuminanceMeasurement", scale: (lux) => (lux < 1 ? 0 : 10_000 * Math.log10(lux) + 1) },
    ...{ least: 0, most: 65_534 },
  },
];

export function measurements(unclaimed: Unclaimed): Part[] {
  return MEASURED.flatMap(({ service, property, key, type, cluster, scale, least, most }) =>
    unclaimed.indexes(service).flatMap((index) => {
      const measured = unclaimed.look(service, index, property);
      if (!measured?.readable) return [];
      unclaimed.claim(measured);
      const shown: ShownCluster = {
        cluster,
        features: [],
        attributes: (values) => {
          const value = numberOf(values, measured);
          return {
            measuredValue: whole(value === undefined ? undefined : scale(value), least, most),
            minMeasuredValue: null,
            maxMeasuredValue: null,
          };
        },
      };
      return [{ key: `${key}:${index}`, type, hasGroups: false, clusters: [shown] }];
    }),
  );
}

const UNIT = { ppm: 0, ppb: 1, microgrammes: 4 };
/** Lower limits of the levels fair, moderate, poor, very poor and extremely poor: CO2 in ppm, fine dust in µg/m³. */
const WORSE = { co2: [800, 1000, 1400, 2000, 5000], pm25: [10, 20, 25, 50, 75] };

export function airQuality(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("AirQuality").flatMap((index) => {
    const [co2, pm25, voc] = ["co2", "pm25", "voc"].map((property) => {
      const found = unclaimed.look("AirQuality", index, property);
      return found?.readable ? found : undefined;
    });
    if (!co2 && !pm25 && !voc) return [];
    unclaimed.claim(co2, pm25, voc);
    const clusters = [
      airCluster(co2, pm25),
      ...(co2 ? [concentration("carbonDioxideConcentrationMeasurement", co2, UNIT.ppm)] : []),
      ...(pm25 ? [concentration("pm25ConcentrationMeasurement", pm25, UNIT.microgrammes)] : []),
      ...(voc ? [concentration("totalVolatileOrganicCompoundsConcentrationMeasurement", voc, UNIT.ppb)] : []),
    ];
    return [{ key: `air:${index}`, type: DEVICE_TYPES.airQualitySensor, hasGroups: false, clusters }];
  });
}

/** The worse of the two values decides. Volatile compounds do not count, because their harm depends on the compound. */
function airCluster(co2: DescribedProperty | undefined, pm25: DescribedProperty | undefined): ShownCluster {
  return {
    cluster: "airQuality",
    features: ["Fair", "Moderate", "VeryPoor", "ExtremelyPoor"],
    attributes: (values) => {
      const word = (value: number | undefined, limits: readonly number[]) =>
        value === undefined ? 0 : 1 + limits.filter((limit) => value >= limit).length;
      const words = [word(numberOf(values, co2), WORSE.co2), word(numberOf(values, pm25), WORSE.pm25)];
      return { airQuality: Math.max(...words) };
    },
  };
}

function concentration(cluster: ClusterName, property: DescribedProperty, measurementUnit: number): ShownCluster {
  return {
    cluster,
    features: ["NumericMeasurement"],
    attributes: (values) => ({
      measuredValue: numberOf(values, property) ?? null,
      minMeasuredValue: null,
      maxMeasuredValue: null,
      measurementUnit,
      measurementMedium: 0,
    }),
  };
}
