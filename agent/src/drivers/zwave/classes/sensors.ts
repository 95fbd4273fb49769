/** Multilevel and binary sensors, meters and batteries: what each type of reading is, and in which unit. */
import type { Value } from "@porchlight/shared/model";
import { celsiusOf } from "../../kit/index.ts";
import type { NodeValue } from "../values/node-state.ts";
import type { RawOf } from "../values/node-values.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  propertyName,
  rawNumber,
  unitOfValue,
  type ZwaveProperty,
} from "./zwave-property.ts";

interface Reading {
  readonly service: string;
  readonly property: string;
  readonly convert?: ((raw: number) => number) | undefined;
}

const plain = (service: string, property: string, factor = 1): Reading => ({
  ...{ service, property },
  convert: factor === 1 ? undefined : (raw) => raw * factor,
});
/** Kilopascals and inches of mercury, as hectopascals. */
const PRESSURE = [plain("Pressure", "hectopascal", 10), plain("Pressure", "hectopascal", 33.8639)];

/** By sensor type, then by scale. */
const READINGS: Readonly<Record<number, readonly (Reading | undefined)[]>> = {
  1: [plain("Temperature", "celsius"), { service: "Temperature", property: "celsius", convert: celsiusOf }],
  3: [undefined, plain("Illuminance", "lux")],
  4: [plain("Electricity", "watts")],
  5: [plain("Humidity", "percent")],
  8: PRESSURE,
  9: PRESSURE,
  15: [plain("Electricity", "volts"), plain("Electricity", "volts", 0.001)],
  16: [plain("Electricity", "amperes"), plain("Electricity", "amperes", 0.001)],
  17: [plain("AirQuality", "co2")],
  35: [undefined, plain("AirQuality", "pm25")],
  // Parts per million, as parts per billion.
  39: [undefined, plain("AirQuality", "voc", 1000)],
};

export function multilevelSensor({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => sensorReading(endpoint, value)) };
}

function sensorReading(endpoint: number, value: NodeValue): ZwaveProperty[] {
  const { sensorType, scale } = value.metadata.ccSpecific ?? {};
  if (value.metadata.type !== "number") return [];
  const reading = READINGS[Number(sensorType)]?.[Number(scale)];
  return reading ? [...standard(endpoint, value, reading)] : [other(endpoint, value, String(value.id.property))];
}

/** `meterType`: 1 is electric. `rateType`: 2 is produced, and others are consumed. By scale. */
const ELECTRIC: Readonly<Record<number, Reading>> = {
  0: plain("Electricity", "energy"),
  2: plain("Electricity", "watts"),
  4: plain("Electricity", "volts"),
  5: plain("Electricity", "amperes"),
};

/** What is told beside a meter's value. */
export function meter({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => meterReading(endpoint, value)) };
}

function meterReading(endpoint: number, value: NodeValue): ZwaveProperty[] {
  if (value.id.property !== "value") return [];
  const { meterType, rateType, scale } = value.metadata.ccSpecific ?? {};
  const isProduced = rateType === 2;
  if (meterType === 1 && isProduced && scale === 0) return standard(endpoint, value, plain("Electricity", "produced"));
  const reading = meterType === 1 && !isProduced ? ELECTRIC[Number(scale)] : undefined;
  if (reading) return standard(endpoint, value, reading);
  // The label is such as `Electric Consumed [Power Factor]`.
  return [other(endpoint, value, value.metadata.label ?? `meter ${value.id.propertyKey}`)];
}

/** `currentColor` and the like stay numbers; energies of solar inverters have own parameters. */
export function energyProduction({ endpoint, values }: ClassValues): Mapped {
  const readings: Readonly<Record<number, Reading | undefined>> = {
    0: plain("Electricity", "watts"),
    1: plain("Electricity", "produced", 0.001),
  };
  const properties = values.flatMap((value) => {
    const { parameter, scale } = value.metadata.ccSpecific ?? {};
    const reading = scale === 0 ? readings[Number(parameter)] : undefined;
    return reading
      ? standard(endpoint, value, reading)
      : [other(endpoint, value, value.metadata.label ?? "production")];
  });
  return { properties };
}

/** By sensor type. */
const FLAGS: Readonly<Record<number, readonly [service: string, property: string]>> = {
  2: ["Smoke", "detected"],
  3: ["CarbonMonoxide", "detected"],
  6: ["WaterLeak", "detected"],
  8: ["Tamper", "detected"],
  10: ["Contact", "open"],
  12: ["Motion", "detected"],
};

export function sensorFlags({ endpoint, values }: ClassValues): Mapped {
  const properties = values.flatMap((value) => {
    const flag = FLAGS[Number(value.metadata.ccSpecific?.sensorType)];
    const parts = { of: [value.id], read: (raw: RawOf) => flagOf(raw(value.id)) };
    if (flag) return classProperty(endpoint, ...flag, parts);
    const property = propertyName(value.id.property === "Any" ? "triggered" : String(value.id.property));
    return [ownProperty(endpoint, "Readings", { property, type: "boolean" }, parts)];
  });
  return { properties };
}

/** A device of which nothing is known but a number of 0 to 99, or 255 for "on". */
export function basic(given: ClassValues): Mapped {
  const current = namedValue(given, "currentValue");
  return { properties: current ? [other(given.endpoint, current, "basic")] : [] };
}

export function battery(given: ClassValues): Mapped {
  const level = namedValue(given, "level");
  const low = namedValue(given, "isLow");
  const percent = level
    ? classProperty(given.endpoint, "Battery", "percent", {
        of: [level.id],
        read: (raw) => rawNumber(raw(level.id)),
      })
    : [];
  const isLow = low
    ? classProperty(given.endpoint, "Battery", "low", {
        of: [low.id],
        // The report of the level says that it is low.
        polls: () => (level ? [level.id] : []),
        read: (raw) => flagOf(raw(low.id)),
      })
    : [];
  return { properties: [...percent, ...isLow] };
}

function standard(endpoint: number, { id }: NodeValue, { service, property, convert }: Reading): ZwaveProperty[] {
  const read = (raw: RawOf): Value | undefined => {
    const now = rawNumber(raw(id));
    return now === undefined || !convert ? now : Math.round(convert(now) * 1000) / 1000;
  };
  return classProperty(endpoint, service, property, { of: [id], read });
}

function other(endpoint: number, { id, metadata }: NodeValue, label: string): ZwaveProperty {
  const description = { property: propertyName(label), type: "number" as const, unit: unitOfValue(metadata.unit) };
  return ownProperty(endpoint, "Readings", description, { of: [id], read: (raw) => rawNumber(raw(id)) });
}

function flagOf(raw: unknown): Value | undefined {
  return typeof raw === "boolean" ? raw : undefined;
}
