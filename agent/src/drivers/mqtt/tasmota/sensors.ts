/** Sensors of a Tasmota device: what its last message of all sensors had. */
import { standardProperty } from "@porchlight/shared/model";
import { celsiusOf } from "../../kit/index.ts";
import { type Codec, numberCodec } from "../device/codec.ts";
import type { MqttProperty } from "../device/mqtt-device.ts";

/** By the member's name: service, property, and the factor to the class's unit. */
const KNOWN: Readonly<Record<string, readonly [service: string, property: string, factor: number]>> = {
  Temperature: ["Temperature", "celsius", 1],
  Humidity: ["Humidity", "percent", 1],
  Pressure: ["Pressure", "hectopascal", 1],
  Illuminance: ["Illuminance", "lux", 1],
  CarbonDioxide: ["AirQuality", "co2", 1],
  "PM2.5": ["AirQuality", "pm25", 1],
  Power: ["Electricity", "watts", 1],
  Voltage: ["Electricity", "volts", 1],
  Current: ["Electricity", "amperes", 1],
  Total: ["Electricity", "energy", 1],
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
  let unknown = 0;
  for (const [sensor, said] of Object.entries(sensors)) {
    if (ABOUT.has(sensor)) continue;
    if (typeof said !== "object" || said === null || Array.isArray(said)) {
      unknown += 1;
      continue;
    }
    for (const [member, value] of Object.entries(said)) {
      const known = Object.hasOwn(KNOWN, member) ? KNOWN[member] : undefined;
      const standard = known && standardProperty(known[0], known[1]);
      if (!known || !standard || typeof value !== "number") {
        unknown += 1;
        continue;
      }
      const [service, property, factor] = known;
      const index = used.get(`${service}.${property}`) ?? 0;
      used.set(`${service}.${property}`, index + 1);
      const codec = codecOf(member, sensors, factor);
      properties.push({
        address: { service, index: String(index), property },
        description: standard,
        state: { topic, read: ({ object }) => codec.read(memberOf(memberOf(object, sensor), member)) },
        tolerance: codec.tolerance,
      });
    }
  }
  return { properties, leftAside: unknown > 0 ? { unknownSensor: unknown } : {} };
}

function codecOf(member: string, { TempUnit, PressureUnit }: Readonly<Record<string, unknown>>, factor: number): Codec {
  if (member === "Temperature" && TempUnit === "F")
    return { read: (json) => (typeof json === "number" ? Math.round(celsiusOf(json) * 100) / 100 : undefined) };
  // Millimetres of mercury.
  return numberCodec(member === "Pressure" && PressureUnit === "mmHg" ? 1.333_22 : factor);
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null && Object.hasOwn(json, name) ? Reflect.get(json, name) : undefined;
}
