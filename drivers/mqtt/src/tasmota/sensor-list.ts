/** The measurements that a Tasmota device lists, each with its own ID and its place in a message. */
import { at, isRecord } from "@porchlight/driver-kit";

type Message = Readonly<Record<string, unknown>>;

/** One number of one sensor; of a meter with several channels, of one channel. */
export interface Measurement {
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

export interface SensorList {
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
export function sensorList(described: Message): SensorList {
  const measurements: Measurement[] = [];
  const others: string[] = [];
  const serials = new Set<string>();
  for (const [name, said] of Object.entries(described)) {
    if (ABOUT.has(name) || SHUTTER.test(name)) continue;
    if (!isRecord(said)) {
      others.push(name);
      continue;
    }
    const sensor = sensorOf(name, said, serials);
    for (const [member, value] of Object.entries(said)) {
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
function sensorOf(name: string, said: Message, serials: Set<string>): Sensor {
  const serial = serialOf(said);
  const kind = kindOf(name);
  const isOwn = serial !== undefined && !serials.has(`${kind} ${serial}`);
  if (isOwn) serials.add(`${kind} ${serial}`);
  return { name, kind, serial: isOwn ? serial : undefined };
}

function serialOf(said: unknown): string | undefined {
  const serial = at(said, SERIAL);
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
  const own = alike.find(([, said]) => serialOf(said) === serial);
  if (own) return at(own[1], member);
  // Another sensor now has its name, or the name of the only sensor of its kind: this sensor is gone.
  const isReplaced = alike.some(([each, said]) => (each === name || each === kind) && serialOf(said) !== undefined);
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
