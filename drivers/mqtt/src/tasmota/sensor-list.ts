/** The measurements that a Tasmota device lists, each with an ID of its own, and where it stands in a message. */
import { at, isRecord } from "@porchlight/driver-kit";

type Message = Readonly<Record<string, unknown>>;

/** One number of one sensor; of a meter with several channels, of one channel. */
export interface Measurement {
  /** That no other measurement of the device has. */
  readonly id: string;
  /** As the device calls it: `Power`, `Temperature1`. */
  readonly member: string;
  /** The same without a number at its end that tells alike members of a sensor apart. */
  readonly quantity: string;
  /** Whether it is one of several numbers in a list, or of a member with a number. */
  readonly isOneOfMany: boolean;
  /** What a message says of it; undefined when it says nothing, `null` when the sensor or the channel has gone. */
  readonly of: (message: Message) => unknown;
}

export interface SensorList {
  readonly measurements: readonly Measurement[];
  /** Members that are no measurements, by their names: `ENERGY.TotalStartTime`. */
  readonly others: readonly string[];
  /** Measurements beyond those that are looked at. */
  readonly tooMany: number;
}

/** Members that say something of the message, and not of a sensor. */
const ABOUT = new Set(["Time", "TempUnit", "PressureUnit", "SpeedUnit"]);
/** No sensor, though it stands among them. */
const SHUTTER = /^Shutter\d+$/;
/** Of a sensor: its serial number. */
const SERIAL = "Id";
/** Of which a plain number is the sum of all channels, and not the first one. */
const SUMS = new Set(["Total"]);
/** Most measurements that are looked at: some for each property that a device may have. */
const MOST_MEASUREMENTS = 512;
/** Most channels of a meter. */
const MOST_CHANNELS = 16;

interface Sensor {
  readonly name: string;
  /** The name without the place among sensors of its kind: `DS18B20` of `DS18B20-2`. */
  readonly kind: string;
  readonly serial: string | undefined;
}

/** @param described what the discovery message has of the sensors */
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

/** @param serials of the sensors before it, to which its own is added: one that two sensors have identifies none */
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
      // A device that measures one channel later, or before, says the first one as a plain number.
      id: place === 0 && !isSum ? id : `${id} ${place + 1}`,
      of: (message) => channelOf(raw(message), place, isSum),
    }));
  }
  // A sensor that cannot be read for the moment says `null`.
  const isRead = typeof value === "number" || value === null;
  return isRead ? [{ ...one, id, of: (message) => plainOf(raw(message), SUMS.has(member)) }] : [];
}

/** By the sensor's serial number, whatever it is called in this message. */
function memberIn(message: Message, { name, kind, serial }: Sensor, member: string): unknown {
  if (serial === undefined) return at(message, name, member);
  const alike = Object.entries(message).filter(([each]) => kindOf(each) === kind);
  const own = alike.find(([, said]) => serialOf(said) === serial);
  if (own) return at(own[1], member);
  // Its name, or the name of the only one of its kind, is another's: the sensor has gone.
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
