/** Sensors: maps each type of resource to the properties of a standard class. */
import { type Read, readBoolean, readCelsius, readEither, readNumber, readPercent } from "@porchlight/driver-kit";
import { standardProperty } from "@porchlight/shared/model";
import { fieldAt, names, type Reference, type Resource } from "./resource.ts";
import type { HueProperty } from "./scenes.ts";

interface Reading {
  readonly service: string;
  readonly property: string;
  readonly read: HueProperty["read"];
  /** Paths of the value in the resource. */
  readonly paths: readonly string[];
}

const MOTION: Reading = {
  ...{ service: "Motion", property: "detected", read: motionOf },
  paths: ["motion.motion", "motion.motion_report", "motion.motion_valid"],
};

/** Readings by type of resource. */
const READINGS: Readonly<Record<string, readonly Reading[]>> = {
  motion: [MOTION],
  camera_motion: [MOTION],
  grouped_motion: [MOTION],
  temperature: [
    {
      ...{ service: "Temperature", property: "celsius", read: temperatureOf },
      paths: ["temperature.temperature", "temperature.temperature_report", "temperature.temperature_valid"],
    },
  ],
  light_level: [
    {
      ...{ service: "Illuminance", property: "lux", read: luxOf },
      paths: ["light.light_level", "light.light_level_report", "light.light_level_valid"],
    },
  ],
  contact: [{ service: "Contact", property: "open", read: contactOf, paths: ["contact_report.state"] }],
  tamper: [{ service: "Tamper", property: "detected", read: tamperOf, paths: ["tamper_reports"] }],
  device_power: [
    {
      ...{ service: "Battery", property: "percent", paths: ["power_state.battery_level"] },
      read: (power) => readPercent(fieldAt(power, "power_state.battery_level")),
    },
    { service: "Battery", property: "low", read: lowOf, paths: ["power_state.battery_state"] },
  ],
};

/** Empty when the type is not a sensor. */
export function sensorReadings(sensor: Resource, of: Reference): HueProperty[] {
  const readings = Object.hasOwn(READINGS, sensor.type) ? READINGS[sensor.type] : undefined;
  return (readings ?? []).flatMap(({ service, property, read, paths }) => {
    const says = (update: Resource) => update.enabled === false || naming(...paths)(update);
    return ofClass(of, service, property, { read, says });
  });
}

/**
 * Value of a sensor, from the report of newer bridges, or from the older member with its validity flag. A disabled sensor has no value.
 */
function measuredBy(sensor: Resource, field: string, member: string): unknown {
  if (sensor.enabled === false) return null;
  const isValid = readBoolean(fieldAt(sensor, `${field}.${member}_valid`));
  if (isValid !== undefined && isValid !== true) return null;
  const report = `${field}.${member}_report.${member}`;
  if (fieldAt(sensor, report) !== undefined) return fieldAt(sensor, report);
  return fieldAt(sensor, field) === null ? null : fieldAt(sensor, `${field}.${member}`);
}

function motionOf(sensor: Resource): Read<boolean> {
  return readBoolean(measuredBy(sensor, "motion", "motion"));
}

function temperatureOf(sensor: Resource): Read<number> {
  const celsius = readCelsius(measuredBy(sensor, "temperature", "temperature"), "celsius");
  return typeof celsius === "number" ? hundredths(celsius) : celsius;
}

/** Zigbee's marker for an unknown level. */
const NO_LEVEL = 65_535;

/** The bridge reports 10,000 times the logarithm of the lux, plus 1; 0 means too dark to measure. */
function luxOf(sensor: Resource): Read<number> {
  const level = readNumber(measuredBy(sensor, "light", "light_level"), [NO_LEVEL]);
  if (typeof level !== "number") return level;
  if (level < 0 || level > NO_LEVEL) return null;
  return level === 0 ? 0 : hundredths(10 ** ((level - 1) / 10_000));
}

function contactOf(sensor: Resource): Read<boolean> {
  if (sensor.enabled === false || sensor.contact_report === null) return null;
  return readEither(fieldAt(sensor, "contact_report.state"), ["no_contact"], ["contact"]);
}

/** True when any source reports tampering; false only when every source denies it. */
function tamperOf(sensor: Resource): Read<boolean> {
  if (sensor.enabled === false) return null;
  const reports = sensor.tamper_reports;
  if (!Array.isArray(reports)) return names(sensor, "tamper_reports") ? null : undefined;
  const states = reports.map((report) => readEither(fieldAt(report, "state"), ["tampered"], ["not_tampered"]));
  if (states.includes(true)) return true;
  return states.length > 0 && states.every((state) => state === false) ? false : null;
}

function lowOf(power: Resource): Read<boolean> {
  return readEither(fieldAt(power, "power_state.battery_state"), ["low", "critical"], ["normal"]);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A property of a standard class, as one resource contains it. */
interface Parts extends Pick<HueProperty, "read" | "says" | "set" | "tolerance"> {
  /** Narrower than the limits of the class. */
  readonly limits?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}

/** Uses index 0 until the device's things have their stored addresses. @param of the resource with the value */
export function ofClass(of: Reference, service: string, property: string, parts: Parts): HueProperty[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const { limits, ...others } = parts;
  const given = Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined);
  const access = parts.set ? known.access : known.access.filter((each) => each !== "write");
  const description = { ...known, access, ...Object.fromEntries(given) };
  return [{ address: { service, index: "0", property }, description, of, ...others }];
}

/** Whether an update contains one of these paths. */
export function naming(...paths: readonly string[]): (update: Resource) => boolean {
  return (update) => paths.some((path) => names(update, path));
}
