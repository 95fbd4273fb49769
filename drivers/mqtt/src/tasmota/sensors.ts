/** Sensors of a Tasmota device, from the list in its discovery message. */
import {
  at,
  isRecord,
  type Read,
  readCelsius,
  readNumber,
  readPercent,
  type Thing,
  temperatureScale,
  withoutNoise,
} from "@porchlight/driver-kit";
import { type PropertyAddress, type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import type { PlaceThings } from "../device/kept-things.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
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

interface SensorProperties {
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
  readonly member: string;
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
      member: "TempUnit",
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
      member: "PressureUnit",
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
  const unit = units && described[units.member];
  return !units || unit === undefined || units.isKnown(unit);
}

/**
 * Converts to the unit of the class. The unit is the message's own: a message without a unit has no value.
 * @param message the whole message
 */
function inClassUnit(quantity: string, raw: unknown, message: Readonly<Record<string, unknown>>): Read<number> {
  const units = UNITS.get(quantity);
  return units ? units.read(raw, message[units.member]) : readNumber(raw, MARKERS.get(quantity));
}

function inHundredths(value: Read<number>): Read<number> {
  return typeof value === "number" ? withoutNoise(Math.round(value * 100) / 100) : value;
}

type Message = Readonly<Record<string, unknown>>;

/** One number of one sensor; of a meter with several channels, of one channel. */
interface Measurement {
  /** Unique among the measurements of the device. */
  readonly id: string;
  /** The device's name for it: `Power`, `Temperature1`. */
  readonly member: string;
  /** The member without a number at its end that distinguishes similar members of a sensor. */
  readonly quantity: string;
  /** Whether it is one of several numbers in a list, or of a member with a number. */
  readonly isOneOfMany: boolean;
  /** Its raw value in a message; undefined when the message does not contain it, `null` when the sensor or the channel is gone. */
  readonly of: (message: Message) => unknown;
}

interface SensorList {
  readonly measurements: readonly Measurement[];
  /** Names of members that are no measurements: `ENERGY.TotalStartTime`. */
  readonly others: readonly string[];
  /** Number of measurements beyond the maximum. */
  readonly tooMany: number;
}

/** Members that describe the message, and not a sensor. */
const ABOUT = new Set(["Time", "TempUnit", "PressureUnit", "SpeedUnit"]);
/** Listed among the sensors, but not a sensor. */
const SHUTTER = /^Shutter\d+$/;
/** The member with a sensor's serial number. */
const SERIAL = "Id";
/** Members whose plain number is the sum of all channels, and not the first one. */
const SUMS = new Set(["Total"]);
/** Maximum number of measurements that are read: several for each property that a device may have. */
const MOST_MEASUREMENTS = 512;
/** Maximum number of channels of a meter. */
const MOST_CHANNELS = 16;

interface Sensor {
  readonly name: string;
  /** The name without the sensor's number within its kind: `DS18B20` for `DS18B20-2`. */
  readonly kind: string;
  readonly serial: string | undefined;
}

/** @param described the sensors' part of the discovery message */
function sensorList(described: Message): SensorList {
  const measurements: Measurement[] = [];
  const others: string[] = [];
  const serials = new Set<string>();
  for (const [name, stated] of Object.entries(described)) {
    if (ABOUT.has(name) || SHUTTER.test(name)) continue;
    if (!isRecord(stated)) {
      others.push(name);
      continue;
    }
    const sensor = sensorOf(name, stated, serials);
    for (const [member, value] of Object.entries(stated)) {
      if (member === SERIAL) continue;
      const found = measurementsOf(sensor, member, value);
      if (found.length > 0) measurements.push(...found);
      else others.push(`${name}.${member}`);
    }
  }
  const kept = measurements.slice(0, MOST_MEASUREMENTS);
  return { measurements: kept, others, tooMany: measurements.length - kept.length };
}

/** @param serials of the sensors before it, to which its own is added: a serial number that two sensors share identifies none */
function sensorOf(name: string, stated: Message, serials: Set<string>): Sensor {
  const serial = serialOf(stated);
  const kind = kindOf(name);
  const isOwn = serial !== undefined && !serials.has(`${kind} ${serial}`);
  if (isOwn) serials.add(`${kind} ${serial}`);
  return { name, kind, serial: isOwn ? serial : undefined };
}

function serialOf(stated: unknown): string | undefined {
  const serial = at(stated, SERIAL);
  return (typeof serial === "string" && serial !== "") || typeof serial === "number" ? String(serial) : undefined;
}

function kindOf(name: string): string {
  return name.replace(/-\d+$/, "");
}

function measurementsOf(sensor: Sensor, member: string, value: unknown): Measurement[] {
  const id = `${sensor.serial === undefined ? sensor.name : `${sensor.kind} ${SERIAL} ${sensor.serial}`}.${member}`;
  const [, quantity = member] = /^([A-Za-z]+)\d+$/.exec(member) ?? [];
  const raw = (message: Message) => memberIn(message, sensor, member);
  const one = { member, quantity, isOneOfMany: quantity !== member };
  if (Array.isArray(value)) {
    const isSum = SUMS.has(member);
    return value.slice(0, MOST_CHANNELS).map((_, place) => ({
      ...{ ...one, isOneOfMany: true },
      // A device that has only one channel at another time sends the first one as a plain number.
      id: place === 0 && !isSum ? id : `${id} ${place + 1}`,
      of: (message) => channelOf(raw(message), place, isSum),
    }));
  }
  // A sensor that temporarily cannot be read has `null`.
  const isRead = typeof value === "number" || value === null;
  return isRead ? [{ ...one, id, of: (message) => plainOf(raw(message), SUMS.has(member)) }] : [];
}

/** A member of the sensor with this serial number, under any name in this message. */
function memberIn(message: Message, { name, kind, serial }: Sensor, member: string): unknown {
  if (serial === undefined) return at(message, name, member);
  const alike = Object.entries(message).filter(([each]) => kindOf(each) === kind);
  const own = alike.find(([, stated]) => serialOf(stated) === serial);
  if (own) return at(own[1], member);
  // Another sensor now has its name, or the name of the only sensor of its kind: this sensor is gone.
  const isReplaced = alike.some(([each, stated]) => (each === name || each === kind) && serialOf(stated) !== undefined);
  return isReplaced ? null : undefined;
}

function channelOf(raw: unknown, place: number, isSum: boolean): unknown {
  if (raw === undefined) return undefined;
  if (Array.isArray(raw)) return raw[place] ?? null;
  return place === 0 && !isSum ? raw : null;
}

function plainOf(raw: unknown, isSum: boolean): unknown {
  if (!Array.isArray(raw)) return raw;
  if (!isSum) return raw[0] ?? null;
  return raw.every((each) => typeof each === "number") ? raw.reduce((sum, each) => sum + each, 0) : null;
}
