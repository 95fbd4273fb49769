/** Sensors: what each type of resource says, and of which class that is. */
import type { Value } from "@porchlight/shared/model";
import { fieldAt, flagAt, numberAt, type Resource, textAt } from "../resources/resource.ts";
import type { HueProperty } from "./hue-device.ts";
import { ofClass, type ServicePlace } from "./standard-property.ts";

interface Reading {
  readonly service: string;
  readonly property: string;
  readonly read: (resource: Resource) => Value | undefined;
}

/** By type of resource. */
const READINGS: Readonly<Record<string, readonly Reading[]>> = {
  motion: [{ service: "Motion", property: "detected", read: motionOf }],
  camera_motion: [{ service: "Motion", property: "detected", read: motionOf }],
  grouped_motion: [{ service: "Motion", property: "detected", read: motionOf }],
  temperature: [{ service: "Temperature", property: "celsius", read: temperatureOf }],
  light_level: [{ service: "Illuminance", property: "lux", read: luxOf }],
  contact: [{ service: "Contact", property: "open", read: contactOf }],
  tamper: [{ service: "Tamper", property: "detected", read: tamperOf }],
  device_power: [
    { service: "Battery", property: "percent", read: (power) => numberAt(power, "power_state.battery_level") },
    { service: "Battery", property: "low", read: lowOf },
  ],
};

/** None when the type is not that of a sensor. */
export function sensorReadings(sensor: Resource, place: ServicePlace): HueProperty[] {
  const readings = Object.hasOwn(READINGS, sensor.type) ? READINGS[sensor.type] : undefined;
  return (readings ?? []).flatMap(({ service, property, read }) => ofClass(place, service, property, { read }));
}

/** Newer bridges report it with its time; older ones say whether it is valid. A sensor that is turned off says nothing true. */
function motionOf(sensor: Resource): Value | undefined {
  if (sensor.enabled === false || flagAt(sensor, "motion.motion_valid") === false) return null;
  return flagAt(sensor, "motion.motion_report.motion") ?? flagAt(sensor, "motion.motion");
}

function temperatureOf(sensor: Resource): Value | undefined {
  if (sensor.enabled === false || flagAt(sensor, "temperature.temperature_valid") === false) return null;
  const celsius =
    numberAt(sensor, "temperature.temperature_report.temperature") ?? numberAt(sensor, "temperature.temperature");
  return celsius === undefined ? undefined : hundredths(celsius);
}

/** The bridge says 10,000 times the logarithm of the lux, and 1 more. */
function luxOf(sensor: Resource): Value | undefined {
  if (sensor.enabled === false || flagAt(sensor, "light.light_level_valid") === false) return null;
  const level = numberAt(sensor, "light.light_level_report.light_level") ?? numberAt(sensor, "light.light_level");
  return level === undefined ? undefined : hundredths(10 ** ((level - 1) / 10_000));
}

function contactOf(sensor: Resource): Value | undefined {
  if (sensor.enabled === false) return null;
  const state = textAt(sensor, "contact_report.state");
  if (state !== "contact" && state !== "no_contact") return undefined;
  return state === "no_contact";
}

/** One of its sources is enough. */
function tamperOf(sensor: Resource): Value | undefined {
  const reports = fieldAt(sensor, "tamper_reports");
  if (!Array.isArray(reports)) return undefined;
  return reports.some((report) => textAt(report, "state") === "tampered");
}

function lowOf(power: Resource): Value | undefined {
  const state = textAt(power, "power_state.battery_state");
  return state === undefined ? undefined : state !== "normal";
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
