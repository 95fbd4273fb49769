/**
 * Multilevel and binary sensors, meters and batteries: the property of each type of reading. Values are converted by the unit in their
 * current metadata, never by the unit of the earlier description. Pure.
 */
import {
  type Read,
  readBoolean,
  readCelsius,
  readNumber,
  readPercent,
  sensorClass,
  temperatureScale,
} from "@porchlight/driver-kit";
import type { PropertyDescription } from "@porchlight/shared/model";
import { type NodeValue, type RawOf, type ValueMetadata, valueKey } from "../values/node-state.ts";
import {
  type ClassValues,
  classProperty,
  type Mapped,
  namedValue,
  ownProperty,
  propertyName,
  unitOfValue,
  type ZwaveProperty,
} from "./zwave-property.ts";

/** A quantity of the catalogue. */
interface Quantity {
  readonly service: string;
  readonly property: string;
  /** Key for the kit's unit conversion: the sensor class of Home Assistant. */
  readonly kind: string;
  /** Unit of each scale of the protocol; `null` for a scale of another quantity, such as % of an unknown whole. */
  readonly units: Readonly<Record<number, string | null>>;
}

/** Spellings of units in Z-Wave JS that differ from the kit's. */
const SPELLINGS: Readonly<Record<string, string>> = { Lux: "lx", lux: "lx" };

/** Whether the metadata measures this quantity; false when its scale belongs to another one. */
function measures({ kind, units }: Quantity, metadata: ValueMetadata): boolean {
  return units[Number(metadata.ccSpecific?.scale)] !== null || writtenUnit(kind, metadata.unit) !== undefined;
}

/** Property of the catalogue for a measured value. */
function quantityProperty(index: number, value: NodeValue, quantity: Quantity): ZwaveProperty[] {
  const { id } = value;
  const read = (raw: RawOf): Read<number> => quantityOf(quantity, raw(id), value.metadata);
  return classProperty(index, quantity.service, quantity.property, { of: [id], read, owner: valueKey(id) });
}

/** A property under `Readings`, in the device's own unit. */
function otherReading(
  index: number,
  { id, metadata }: NodeValue,
  label: string,
  markers: readonly number[] = [],
): ZwaveProperty {
  const description: Omit<PropertyDescription, "access"> = {
    ...{ property: propertyName(label), type: "number", unit: unitOfValue(metadata.unit) },
  };
  const read = (raw: RawOf) => readNumber(raw(id), markers);
  return ownProperty(index, "Readings", description, { of: [id], read, owner: valueKey(id) });
}

function quantityOf(quantity: Quantity, raw: unknown, metadata: ValueMetadata): Read<number> {
  const number = readNumber(raw);
  if (number === undefined || number === null) return number;
  const unit = certainUnit(quantity, metadata);
  if (unit === undefined) return null;
  if (quantity.kind === "temperature") {
    const celsius = readCelsius(number, temperatureScale(unit)) ?? null;
    return celsius === null ? null : thousandths(celsius);
  }
  const convert = sensorClass(quantity.kind, unit, false)?.convert;
  return convert ? thousandths(convert(number)) : null;
}

/** The unit, if scale and text of the metadata agree; undefined when it is uncertain. */
function certainUnit({ kind, units }: Quantity, { ccSpecific, unit }: ValueMetadata): string | undefined {
  const ofScale = units[Number(ccSpecific?.scale)];
  if (ofScale === null) return undefined;
  const written = writtenUnit(kind, unit);
  if (ofScale === undefined) return written;
  return written === undefined || written === ofScale ? ofScale : undefined;
}

/** The kit's spelling of a unit; undefined for a text that is not a unit of this kind. */
function writtenUnit(kind: string, text: string | undefined): string | undefined {
  const unit = (text ?? "").trim();
  if (kind === "temperature") {
    const scale = temperatureScale(unit);
    return scale && { celsius: "°C", fahrenheit: "°F", kelvin: "K" }[scale];
  }
  const spelt = Object.hasOwn(SPELLINGS, unit) ? SPELLINGS[unit] : unit;
  return spelt !== undefined && sensorClass(kind, spelt, false) ? spelt : undefined;
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}

const quantity = (service: string, property: string, kind: string, units: Quantity["units"]): Quantity => ({
  ...{ service, property, kind, units },
});
const PRESSURE = quantity("Pressure", "hectopascal", "pressure", { 0: "kPa", 1: "inHg" });

/** Quantities by sensor type. */
const SENSORS: Readonly<Record<number, Quantity>> = {
  1: quantity("Temperature", "celsius", "temperature", { 0: "°C", 1: "°F" }),
  3: quantity("Illuminance", "lux", "illuminance", { 0: null, 1: "lx" }),
  // BTU/h is not a unit of electric power.
  4: quantity("Electricity", "watts", "power", { 0: "W", 1: null }),
  5: quantity("Humidity", "percent", "humidity", { 0: "%", 1: null }),
  8: PRESSURE,
  9: PRESSURE,
  15: quantity("Electricity", "volts", "voltage", { 0: "V", 1: "mV" }),
  16: quantity("Electricity", "amperes", "current", { 0: "A", 1: "mA" }),
  17: quantity("AirQuality", "co2", "carbon_dioxide", { 0: "ppm" }),
  35: quantity("AirQuality", "pm25", "pm25", { 0: null, 1: "µg/m³" }),
  39: quantity("AirQuality", "voc", "volatile_organic_compounds_parts", { 0: null, 1: "ppm" }),
};

export function multilevelSensor({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => sensorReading(endpoint, value)) };
}

function sensorReading(endpoint: number, value: NodeValue): ZwaveProperty[] {
  if (value.metadata.type !== "number") return [];
  const sensor = SENSORS[Number(value.metadata.ccSpecific?.sensorType)];
  if (sensor && measures(sensor, value.metadata)) return quantityProperty(endpoint, value, sensor);
  return [otherReading(endpoint, value, String(value.id.property))];
}

/** Electric meter (`meterType` 1) by scale, for consumption or an unknown direction. */
const CONSUMED: Readonly<Record<number, Quantity>> = {
  0: quantity("Electricity", "energy", "energy", { 0: "kWh" }),
  2: quantity("Electricity", "watts", "power", { 2: "W" }),
  4: quantity("Electricity", "volts", "voltage", { 4: "V" }),
  5: quantity("Electricity", "amperes", "current", { 5: "A" }),
};
/** The same for production (`rateType` 2). */
const PRODUCED: Readonly<Record<number, Quantity>> = {
  0: quantity("Electricity", "produced", "energy", { 0: "kWh" }),
};

/** Properties of a meter, one for each value. */
export function meter({ endpoint, values }: ClassValues): Mapped {
  return { properties: values.flatMap((value) => meterReading(endpoint, value)) };
}

function meterReading(endpoint: number, value: NodeValue): ZwaveProperty[] {
  if (value.id.property !== "value") return [];
  const { meterType, rateType, scale } = value.metadata.ccSpecific ?? {};
  const electric = (rateType === 2 ? PRODUCED : CONSUMED)[Number(scale)];
  if (meterType === 1 && electric) return quantityProperty(endpoint, value, electric);
  // The label has the form `Electric Consumed [Power Factor]`.
  return [otherReading(endpoint, value, value.metadata.label ?? `meter ${value.id.propertyKey}`)];
}

/** Energies of solar inverters, by parameter. */
const PRODUCTION: Readonly<Record<number, Quantity>> = {
  0: quantity("Electricity", "watts", "power", { 0: "W" }),
  1: quantity("Electricity", "produced", "energy", { 0: "Wh" }),
};

export function energyProduction({ endpoint, values }: ClassValues): Mapped {
  const properties = values.flatMap((value) => {
    const { parameter, scale } = value.metadata.ccSpecific ?? {};
    const reading = scale === 0 ? PRODUCTION[Number(parameter)] : undefined;
    return reading
      ? quantityProperty(endpoint, value, reading)
      : [otherReading(endpoint, value, value.metadata.label ?? "production")];
  });
  return { properties };
}

/** Binary sensors, by sensor type. */
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
    const parts = { of: [value.id], read: (raw: RawOf) => readBoolean(raw(value.id)) };
    if (flag) return classProperty(endpoint, ...flag, parts);
    const property = propertyName(value.id.property === "Any" ? "triggered" : String(value.id.property));
    return [ownProperty(endpoint, "Readings", { property, type: "boolean" }, { ...parts, owner: valueKey(value.id) })];
  });
  return { properties };
}

/** Level that the device does not know. */
const UNKNOWN_BASIC = 254;

/** A device with nothing but the Basic class: a number of 0 to 99, or 255 for "on". */
export function basic(given: ClassValues): Mapped {
  const current = namedValue(given, "currentValue");
  return { properties: current ? [otherReading(given.endpoint, current, "basic", [UNKNOWN_BASIC])] : [] };
}

/** Sent in place of a level when the battery is low. */
const LOW_WARNING = 255;

export function battery(given: ClassValues): Mapped {
  const level = namedValue(given, "level");
  const low = namedValue(given, "isLow");
  const percent = level
    ? classProperty(given.endpoint, "Battery", "percent", {
        of: [level.id],
        read: (raw) => readPercent(raw(level.id), 100, [LOW_WARNING]),
      })
    : [];
  const isLow = low
    ? classProperty(given.endpoint, "Battery", "low", {
        of: [low.id, ...(level ? [level.id] : [])],
        // The report of the level includes the low warning.
        polls: () => (level ? [level.id] : []),
        read: (raw) => lowOf(raw(low.id), level && raw(level.id)),
      })
    : [];
  return { properties: [...percent, ...isLow] };
}

function lowOf(low: unknown, level: unknown): Read<boolean> {
  return readNumber(level) === LOW_WARNING ? true : readBoolean(low);
}
