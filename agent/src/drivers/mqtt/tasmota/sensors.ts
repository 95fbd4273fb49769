/** Sensors of a Tasmota device: what its last message of all sensors had. */
import { standardProperty } from "@porchlight/shared/model";
import type { MqttProperty } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";
import { inClassUnit, isKnownUnit } from "./sensor-units.ts";
import { memberOf } from "./topics.ts";

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
  Battery: ["Battery", "percent"],
};

/** Members that say something of the message, and not of a sensor. */
const ABOUT = new Set(["Time", "TempUnit", "PressureUnit", "SpeedUnit"]);

export interface SensorProperties {
  readonly properties: readonly MqttProperty[];
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Sensors of one kind are instances of its class, in the order of the message. @param topic on which they are told */
export function sensorProperties(sensors: Readonly<Record<string, unknown>>, topic: string): SensorProperties {
  const properties: MqttProperty[] = [];
  const used = new Map<string, number>();
  let unknownSensor = 0;
  for (const [sensor, said] of Object.entries(sensors)) {
    if (ABOUT.has(sensor)) continue;
    if (typeof said !== "object" || said === null || Array.isArray(said)) {
      unknownSensor += 1;
      continue;
    }
    for (const [member, value] of Object.entries(said)) {
      const known = Object.hasOwn(KNOWN, member) ? KNOWN[member] : undefined;
      const description = known && standardProperty(...known);
      // A sensor that cannot be read for the moment says `null`.
      const isRead = typeof value === "number" || value === null;
      if (!known || !description || !isRead || !isKnownUnit(member, sensors)) {
        unknownSensor += 1;
        continue;
      }
      const [service, property] = known;
      const index = used.get(`${service}.${property}`) ?? 0;
      used.set(`${service}.${property}`, index + 1);
      properties.push({
        address: { service, index: String(index), property },
        description,
        state: { topic, read: (payload) => reading(payload, sensor, member, sensors) },
      });
    }
  }
  return { properties, leftAside: unknownSensor > 0 ? { unknownSensor } : {} };
}

/** In the unit that the message itself says; where it says none, in that of the description. */
function reading({ object }: Payload, sensor: string, member: string, described: Readonly<Record<string, unknown>>) {
  const value = memberOf(memberOf(object, sensor), member);
  if (value === null) return null;
  return typeof value === "number" ? inClassUnit(member, value, { ...described, ...object }) : undefined;
}
