/**
 * Maps Home Assistant's sensor classes to the catalogue. ESPHome and all devices that are discovered over MQTT have these classes. Pure.
 */
import { celsiusOf } from "./units.ts";

type Conversion = (value: number) => number;

interface StandardSensor {
  readonly service: string;
  readonly property: string;
  /** Units in which devices measure it, each with its conversion to the property's unit. */
  readonly units: Readonly<Record<string, Conversion>>;
  /** A measurement of the surroundings: a sensor that measures the device itself does not have this property. */
  readonly surroundings?: boolean;
}

const times =
  (factor: number): Conversion =>
  (value) =>
    value * factor;
const same = times(1);

const TEMPERATURE = { "°C": same, "°F": celsiusOf, K: (kelvin: number) => kelvin - 273.15 };
const PRESSURE = {
  hPa: same,
  mbar: same,
  kPa: times(10),
  Pa: times(0.01),
  mmHg: times(1.333224),
  inHg: times(33.86389),
};
const POWER = { W: same, kW: times(1000), MW: times(1e6), mW: times(0.001) };
const VOLTAGE = { V: same, mV: times(0.001), kV: times(1000) };
const ENERGY = { kWh: same, Wh: times(0.001), MWh: times(1000) };
// Both Unicode letters for mu are in use.
const MICROGRAMS = { "µg/m³": same, "μg/m³": same };

const SENSORS: Readonly<Record<string, StandardSensor>> = {
  temperature: { service: "Temperature", property: "celsius", units: TEMPERATURE, surroundings: true },
  humidity: { service: "Humidity", property: "percent", units: { "%": same }, surroundings: true },
  pressure: { service: "Pressure", property: "hectopascal", units: PRESSURE, surroundings: true },
  atmospheric_pressure: { service: "Pressure", property: "hectopascal", units: PRESSURE, surroundings: true },
  illuminance: { service: "Illuminance", property: "lux", units: { lx: same } },
  carbon_dioxide: { service: "AirQuality", property: "co2", units: { ppm: same } },
  pm25: { service: "AirQuality", property: "pm25", units: MICROGRAMS },
  volatile_organic_compounds_parts: {
    service: "AirQuality",
    property: "voc",
    units: { ppb: same, ppm: times(1000) },
  },
  battery: { service: "Battery", property: "percent", units: { "%": same } },
  power: { service: "Electricity", property: "watts", units: POWER },
  voltage: { service: "Electricity", property: "volts", units: VOLTAGE },
  current: { service: "Electricity", property: "amperes", units: { A: same, mA: times(0.001) } },
  frequency: { service: "Electricity", property: "hertz", units: { Hz: same, kHz: times(1000) } },
  energy: { service: "Electricity", property: "energy", units: ENERGY },
  signal_strength: { service: "Signal", property: "rssi", units: { dBm: same } },
};

/** In each class, `on` means that the property is true. */
const BINARY_SENSORS: Readonly<Record<string, readonly [service: string, property: string]>> = {
  motion: ["Motion", "detected"],
  occupancy: ["Occupancy", "occupied"],
  presence: ["Occupancy", "occupied"],
  door: ["Contact", "open"],
  window: ["Contact", "open"],
  opening: ["Contact", "open"],
  garage_door: ["Contact", "open"],
  moisture: ["WaterLeak", "detected"],
  smoke: ["Smoke", "detected"],
  carbon_monoxide: ["CarbonMonoxide", "detected"],
  tamper: ["Tamper", "detected"],
  battery: ["Battery", "low"],
};

/** A standard property that a sensor measures. */
export interface SensorClass {
  readonly service: string;
  readonly property: string;
  /** Converts from the sensor's unit to the property's. */
  readonly convert: (value: number) => number;
}

/** Undefined when the catalogue has no such property. @param isOfDevice the device measures itself, not its surroundings */
export function sensorClass(
  deviceClass: string,
  unit: string | undefined,
  isOfDevice: boolean,
): SensorClass | undefined {
  const standard = Object.hasOwn(SENSORS, deviceClass) ? SENSORS[deviceClass] : undefined;
  if (!standard || unit === undefined || (standard.surroundings && isOfDevice)) return undefined;
  const convert = Object.hasOwn(standard.units, unit) ? standard.units[unit] : undefined;
  return convert && { service: standard.service, property: standard.property, convert };
}

/** Undefined when the catalogue has no such property. */
export function binarySensorClass(deviceClass: string): Pick<SensorClass, "service" | "property"> | undefined {
  const found = Object.hasOwn(BINARY_SENSORS, deviceClass) ? BINARY_SENSORS[deviceClass] : undefined;
  return found && { service: found[0], property: found[1] };
}
