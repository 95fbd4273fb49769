/** Sensors of a Tasmota device, from the list in its discovery message. */
import {
  type Read,
  readCelsius,
  readNumber,
  readPercent,
  type Thing,
  temperatureScale,
  withoutNoise,
} from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { PlaceThings } from "../device/device-places.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import { type Measurement, sensorList } from "./sensor-list.ts";
import type { TasmotaTopics } from "./topics.ts";

/** By the member's name: service and property. */
const KNOWN: Readonly<Record<string, readonly [service: string, property: string]>> = {
  Temperature: ["Temperature", "celsius"],
  Humidity: ["Humidity", "percent"],
  Pressure: ["Pressure", "hectopascal"],
  Illuminance: ["Illuminance", "lux"],
  CarbonDioxide: ["AirQuality", "co2"],
  "PM2.5": ["AirQuality", "pm25"],
  Power: ["Electricity", "watts"],
  Voltage: ["Electricity", "volts"],
  Current: ["Electricity", "amperes"],
  Total: ["Electricity", "energy"],
  Frequency: ["Electricity", "hertz"],
  Battery: ["Battery", "percent"],
};

/** Members of no standard class: their names among the readings, and their units. */
const READINGS: Readonly<Record<string, readonly [property: string, unit?: string]>> = {
  Factor: ["powerFactor"],
  ApparentPower: ["apparentPower", "VA"],
  ReactivePower: ["reactivePower", "var"],
};

/** Quantities and forms that newer versions of the hub added: they get their addresses after the others, which keep theirs. */
const LATER = new Set(["Frequency", ...Object.keys(READINGS)]);

export interface SensorProperties {
  readonly properties: readonly MqttProperty[];
  readonly leftAside: Readonly<Record<string, number>>;
  /** Names of ignored members. */
  readonly notUnderstood: readonly string[];
}

interface SensorThing extends Thing {
  readonly measurement: Measurement;
  readonly description: PropertyDescription;
}

/** @param described the sensors' part of the discovery message */
export function sensorProperties(
  described: Readonly<Record<string, unknown>>,
  topics: TasmotaTopics,
  place: PlaceThings,
): SensorProperties {
  const { measurements, others, tooMany } = sensorList(described);
  const things = measurements.map((each) => (canBeRead(each.quantity, described) ? thingOf(each) : undefined));
  const known = things.filter((thing) => thing !== undefined);
  const isLater = ({ measurement: { quantity, isOneOfMany } }: SensorThing) => isOneOfMany || LATER.has(quantity);
  const placed = place([...known.filter((each) => !isLater(each)), ...known.filter(isLater)]);
  const addresses = new Map(placed.map(({ thing, addresses: [first] }) => [thing, first]));
  const unknown = measurements.flatMap(({ id }, at) => (things[at] === undefined ? [id] : []));
  const notUnderstood = [...others, ...unknown];
  return {
    properties: known.flatMap((thing) => propertyOf(thing, addresses.get(thing), topics)),
    leftAside: counted({ unknownSensor: notUnderstood.length, tooMany: tooMany + known.length - placed.length }),
    notUnderstood,
  };
}

function counted(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function thingOf(measurement: Measurement): SensorThing | undefined {
  const { id, quantity } = measurement;
  const [service, property] = (Object.hasOwn(KNOWN, quantity) && KNOWN[quantity]) || [];
  const standard = service && property && standardProperty(service, property);
  if (standard) return { id, measurement, description: standard, properties: [{ service, property }] };
  const [name, unit] = (Object.hasOwn(READINGS, quantity) && READINGS[quantity]) || [];
  if (name === undefined) return undefined;
  return {
    ...{ id, measurement, apart: "name", properties: [{ service: "Readings", property: name }] },
    description: { property: name, type: "number", ...(unit ? { unit } : {}), access: ["read", "notify"] },
  };
}

function propertyOf(
  { measurement, description }: SensorThing,
  address: PropertyAddress | undefined,
  topics: TasmotaTopics,
): MqttProperty[] {
  if (!address) return [];
  const read = (payload: Payload) => {
    const message = topics.sensorsIn(payload);
    return message && reading(measurement, message);
  };
  return [
    {
      address,
      description: { ...description, property: address.property },
      state: {
        topic: topics.sensor,
        also: topics.alsoSensors,
        read,
        raw: (payload) => measurement.of(payload.object ?? {}),
      },
    },
  ];
}

function reading({ quantity, of }: Measurement, message: Readonly<Record<string, unknown>>): Read<number> {
  const raw = of(message);
  return quantity === "Battery" ? readPercent(raw) : inClassUnit(quantity, raw, message);
}

/** A quantity whose unit stands in each message, for all sensors at once. */
interface Units {
  /** The member with the unit. */
  readonly said: string;
  readonly isKnown: (unit: unknown) => boolean;
  /** Converts to the unit of the class; `null` for an unknown unit. */
  readonly read: (raw: unknown, unit: unknown) => Read<number>;
}

const HECTOPASCAL: ReadonlyMap<unknown, number> = new Map([
  ["hPa", 1],
  ["mmHg", 1.333_22],
  ["inHg", 33.8639],
]);

/** The reading of a DS18B20 that does not answer, °C. */
const DISCONNECTED = -127;

const UNITS: ReadonlyMap<string, Units> = new Map([
  [
    "Temperature",
    {
      said: "TempUnit",
      isKnown: (unit) => temperatureScale(unit) !== undefined,
      read: (raw, unit) => {
        const scale = temperatureScale(unit);
        const celsius = readCelsius(raw, scale);
        if (celsius === DISCONNECTED) return null;
        return scale === "celsius" ? celsius : inHundredths(celsius);
      },
    },
  ],
  [
    "Pressure",
    {
      said: "PressureUnit",
      isKnown: (unit) => HECTOPASCAL.has(unit),
      read: (raw, unit) => {
        const [value, factor] = [readNumber(raw), HECTOPASCAL.get(unit)];
        if (value === undefined || value === null) return value;
        if (factor === undefined) return null;
        return factor === 1 ? value : inHundredths(value * factor);
      },
    },
  ],
]);

/** Numbers by which sensors mark a missing value. */
const MARKERS: ReadonlyMap<string, readonly number[]> = new Map([
  ["CarbonDioxide", [65_535]],
  ["PM2.5", [65_535]],
  ["Illuminance", [65_535]],
]);

/** Whether its unit is understood, or stands only in its messages. @param described the description without its sensors */
function canBeRead(quantity: string, described: Readonly<Record<string, unknown>>): boolean {
  const units = UNITS.get(quantity);
  const unit = units && described[units.said];
  return !units || unit === undefined || units.isKnown(unit);
}

/**
 * Converts to the unit of the class. The unit is the message's own: a message without a unit has no value.
 * @param message the whole message
 */
function inClassUnit(quantity: string, raw: unknown, message: Readonly<Record<string, unknown>>): Read<number> {
  const units = UNITS.get(quantity);
  return units ? units.read(raw, message[units.said]) : readNumber(raw, MARKERS.get(quantity));
}

function inHundredths(value: Read<number>): Read<number> {
  return typeof value === "number" ? withoutNoise(Math.round(value * 100) / 100) : value;
}
