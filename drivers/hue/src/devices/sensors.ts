/** Sensors: what each type of resource says, and of which class that is. */
import { type Read, readBoolean, readCelsius, readEither, readNumber, readPercent } from "@porchlight/driver-kit";
import { standardProperty } from "@porchlight/shared/model";
import { fieldAt, names, type Reference, type Resource } from "../resources/resource.ts";
import type { HueProperty } from "./scenes.ts";

interface Reading {
  readonly service: string;
  readonly property: string;
  readonly read: HueProperty["read"];
  /** Where a resource says it. */
  readonly paths: readonly string[];
}

const MOTION: Reading = {
  ...{ service: "Motion", property: "detected", read: motionOf },
  paths: ["motion.motion", "motion.motion_report", "motion.motion_valid"],
};

/** By type of resource. */
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

/** None when the type is not that of a sensor. */
export function sensorReadings(sensor: Resource, of: Reference): HueProperty[] {
  const readings = Object.hasOwn(READINGS, sensor.type) ? READINGS[sensor.type] : undefined;
  return (readings ?? []).flatMap(({ service, property, read, paths }) => {
    const says = (update: Resource) => update.enabled === false || naming(...paths)(update);
    return ofClass(of, service, property, { read, says });
  });
}

/**
 * What a sensor measures, as newer bridges report it with its time, or as older ones do beside whether it is valid. A sensor that is turned off
 * says nothing true.
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

/** Zigbee's marker of a level that is not known. */
const NO_LEVEL = 65_535;

/** The bridge says 10,000 times the logarithm of the lux, and 1 more; 0 where it is too dark to measure. */
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

/** One of its sources is enough; none is only what each of them denies. */
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

/** A property of a standard class, as one resource of a bridge says it. */
interface Parts extends Pick<HueProperty, "read" | "says" | "set" | "tolerance"> {
  /** Narrower than the class. */
  readonly limits?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined;
}

/** At index 0 until the device's things have their places. @param of the resource that says it */
export function ofClass(of: Reference, service: string, property: string, parts: Parts): HueProperty[] {
  const known = standardProperty(service, property);
  if (!known) return [];
  const { limits, ...others } = parts;
  const given = Object.entries(limits ?? {}).filter(([, limit]) => limit !== undefined);
  const access = parts.set ? known.access : known.access.filter((each) => each !== "write");
  const description = { ...known, access, ...Object.fromEntries(given) };
  return [{ address: { service, index: "0", property }, description, of, ...others }];
}

/** Whether an update names one of these paths. */
export function naming(...paths: readonly string[]): (update: Resource) => boolean {
  return (update) => paths.some((path) => names(update, path));
}
