/** `sensor`: by its class and unit a standard property, or a reading of its own name. */
import { celsiusOf } from "../../../kit/index.ts";
import { stateOf } from "../entities/bindings.ts";
import { customPart, standardPart } from "../entities/parts.ts";
import { anyText, numberBy, oneOf } from "../entities/values.ts";
import type { Component } from "./component.ts";

type Conversion = (value: number) => number;

interface StandardSensor {
  readonly service: string;
  readonly property: string;
  /** Units in which devices measure it, each with how it becomes the property's own. */
  readonly units: Readonly<Record<string, Conversion>>;
  /** What a device measures in itself is no measurement of its surroundings. */
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
// Both letters that look like mu are about.
const MICROGRAMS = { "µg/m³": same, "μg/m³": same };

const STANDARD: Readonly<Record<string, StandardSensor>> = {
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

/** Classes whose values are words. */
const WORDS = new Set(["enum", "date", "timestamp"]);
const KEYS = { topic: "state_topic", template: "value_template" };

export const sensor: Component = (options) => {
  const deviceClass = options.text("device_class") ?? "";
  const unit = options.text("unit_of_measurement");
  const standard = Object.hasOwn(STANDARD, deviceClass) ? STANDARD[deviceClass] : undefined;
  const conversion =
    standard && unit !== undefined && Object.hasOwn(standard.units, unit) ? standard.units[unit] : undefined;
  const isOfDevice = options.text("entity_category") === "diagnostic";
  if (standard && conversion && !(standard.surroundings && isOfDevice))
    return standardPart(standard.service, standard.property, { state: stateOf(options, KEYS, numberBy(conversion)) });
  const name = options.propertyName();
  if (isNumeric(deviceClass, unit, options.has("state_class") || options.has("suggested_display_precision")))
    return customPart(name, "number", { state: stateOf(options, KEYS, numberBy()) }, { unit });
  const words = options.words("options");
  const convert = words.length > 0 ? oneOf(words) : anyText;
  return customPart(name, "string", { state: stateOf(options, KEYS, convert) }, { values: words });
};

/** As Home Assistant decides it. */
function isNumeric(deviceClass: string, unit: string | undefined, isMeasured: boolean): boolean {
  if (WORDS.has(deviceClass)) return false;
  return deviceClass !== "" || unit !== undefined || isMeasured;
}
