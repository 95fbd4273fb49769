/** Maps features to properties of standard service classes, by their groups and names. */
import { readEither, turnedRound } from "@porchlight/driver-kit";
import { type PropertyDescription, standardProperty } from "@porchlight/shared/model";
import {
  booleanCodec,
  type Codec,
  levelCodec,
  miredCodec,
  numberCodec,
  shareCodec,
  wordsCodec,
} from "../device/codec.ts";
import type { DeviceConfig, Expose } from "./bridge-config.ts";
import type { Feature } from "./custom-features.ts";

export interface StandardFeature {
  readonly service: string;
  readonly description: PropertyDescription;
  readonly codec: Codec;
}

type Rule = (
  expose: Expose,
  config: DeviceConfig,
) => { readonly codec: Codec; readonly limits?: Partial<PropertyDescription> } | undefined;

/** A feature's class and property, and the conversion of its values; undefined in a unit that the class does not have. */
interface Row {
  readonly service: string;
  readonly property: string;
  readonly rule: Rule;
}

const row = (service: string, property: string, rule: Rule): Row => ({ service, property, rule });

const flag: Rule = ({ value_on = true, value_off = false }) => ({ codec: booleanCodec(value_on, value_off) });
/** The property is true while the contact is open; zigbee2mqtt's member is true while it is closed, and its "on" is the open state. */
const contact: Rule = () => ({ codec: booleanCodec(false, true) });

const UNITS: Readonly<Record<string, number>> = { mbar: 1, kPa: 10, kW: 1000, mA: 0.001, mV: 0.001, Wh: 0.001 };

/**
 * Numbers that mean "no value" in the Zigbee Cluster Library, as converters publish them: 0x8000 and 0xFFFF, also in hundredths and
 * tenths, and 0xFF of a battery in hundreds of millivolts.
 */
const MARKERS: Readonly<Record<string, readonly number[]>> = {
  "°C": [-327.68, 327.67, 655.35],
  "%": [655.35, -327.68],
  hPa: [-32_768, -3276.8, 65_535, 6553.5],
  kPa: [-32_768, -3276.8],
  lx: [65_535],
  ppm: [65_535],
  ppb: [65_535],
  "µg/m³": [65_535],
  W: [-32_768, -3276.8, 65_535, 6553.5],
  V: [65_535, 6553.5, 655.35],
  mV: [65_535, 25_500],
  A: [65_535, 65.535, 655.35],
  mA: [65_535],
  Hz: [65_535, 6553.5, 655.35],
};

/** For features in the class's unit, or in a unit with a known factor. */
const inUnit =
  (...units: readonly string[]): Rule =>
  ({ unit, value_step = 0 }) => {
    const [own] = units;
    if (unit === undefined || !units.includes(unit)) return undefined;
    return { codec: numberCodec(unit === own ? 1 : (UNITS[unit] ?? 1), value_step, MARKERS[unit]) };
  };

const level: Rule = ({ value_max = 254 }) => (value_max > 0 ? { codec: levelCodec(value_max) } : undefined);
const charge: Rule = ({ unit }) => (unit === "%" ? { codec: levelCodec(100) } : undefined);

const mired: Rule = ({ value_min = 153, value_max = 500 }) => {
  if (value_min <= 0 || value_max < value_min) return undefined;
  const limits = { min: Math.floor(1_000_000 / value_max), max: Math.ceil(1_000_000 / value_min) };
  return { codec: miredCodec(value_min), limits };
};

/** Restricted to the words that both sides have; undefined when they share none. */
const words =
  (...pairs: readonly (readonly [string, string])[]): Rule =>
  ({ values = [] }) => {
    const common = pairs.filter(([device]) => values.includes(device));
    if (common.length === 0) return undefined;
    return { codec: wordsCodec(common), limits: { values: [...new Set(common.map(([, property]) => property))] } };
  };

const same = (...all: readonly string[]) => words(...all.map((word) => [word, word] as const));

/** Only for a device whose words all belong to the class: any other word could no longer be set. */
const only =
  (...all: readonly string[]): Rule =>
  (expose, config) =>
    (expose.values ?? []).every((word) => all.includes(String(word))) ? same(...all)(expose, config) : undefined;

const position: Rule = ({ value_step = 0 }, { isCoverInverted }) => ({
  codec: shareCodec(0, 100, isCoverInverted ? turnedRound : undefined, value_step),
  limits: { step: value_step > 0 ? value_step : undefined },
});

/** A setpoint must be known to be in °C: 50 to 90 are °F, or another unit. */
const setpoint: Rule = (expose, config) => {
  const { value_step = 0, value_min, value_max } = expose;
  const inCelsius = inUnit("°C")(expose, config);
  const limits = { min: value_min, max: value_max, step: value_step > 0 ? value_step : undefined };
  return inCelsius && { ...inCelsius, limits };
};

const JAMMED = "not_fully_locked";
const jammed: Rule = ({ values = [] }) => {
  if (!values.includes(JAMMED)) return undefined;
  const others = values.filter((word) => word !== JAMMED);
  return { codec: { read: (raw) => readEither(raw, [JAMMED], others) } };
};

const percentOfFan: Rule = ({ value_max = 100 }) => (value_max > 0 ? { codec: levelCodec(value_max) } : undefined);

/** Of several rows, the first whose rule applies counts. */
const ROWS: Readonly<Record<string, Readonly<Record<string, Row | readonly Row[]>>>> = {
  switch: { state: row("Switch", "on", flag) },
  light: {
    state: row("Switch", "on", flag),
    brightness: row("LightLevel", "level", level),
    color_temp: row("LightTemperature", "kelvin", mired),
  },
  cover: { position: row("Cover", "position", position) },
  fan: { state: row("Fan", "on", flag), speed: row("Fan", "speed", percentOfFan) },
  lock: { state: row("Lock", "locked", flag), lock_state: row("Lock", "jammed", jammed) },
  climate: {
    system_mode: row("Thermostat", "mode", same("off", "heat", "cool", "auto")),
    occupied_heating_setpoint: row("Thermostat", "target", setpoint),
    current_heating_setpoint: row("Thermostat", "target", setpoint),
    running_state: row("Thermostat", "activity", words(["idle", "idle"], ["heat", "heating"], ["cool", "cooling"])),
    local_temperature: row("Temperature", "celsius", inUnit("°C")),
  },
  generic: {
    temperature: row("Temperature", "celsius", inUnit("°C")),
    humidity: row("Humidity", "percent", inUnit("%")),
    pressure: row("Pressure", "hectopascal", inUnit("hPa", "mbar", "kPa")),
    illuminance: row("Illuminance", "lux", inUnit("lx")),
    co2: row("AirQuality", "co2", inUnit("ppm")),
    pm25: row("AirQuality", "pm25", inUnit("µg/m³")),
    voc: row("AirQuality", "voc", inUnit("ppb")),
    motion: row("Motion", "detected", flag),
    occupancy: row("Occupancy", "occupied", flag),
    presence: row("Occupancy", "occupied", flag),
    contact: row("Contact", "open", contact),
    water_leak: row("WaterLeak", "detected", flag),
    smoke: row("Smoke", "detected", flag),
    carbon_monoxide: row("CarbonMonoxide", "detected", flag),
    battery: row("Battery", "percent", charge),
    battery_low: row("Battery", "low", flag),
    tamper: row("Tamper", "detected", flag),
    power_on_behavior: row("Switch", "startUp", only("off", "on", "toggle", "previous")),
    power: row("Electricity", "watts", inUnit("W", "kW")),
    // In millivolts it is the voltage of a battery.
    voltage: [row("Electricity", "volts", inUnit("V")), row("Battery", "volts", inUnit("V", "mV"))],
    current: row("Electricity", "amperes", inUnit("A", "mA")),
    energy: row("Electricity", "energy", inUnit("kWh", "Wh")),
    produced_energy: row("Electricity", "produced", inUnit("kWh", "Wh")),
    ac_frequency: row("Electricity", "hertz", inUnit("Hz")),
    moving: row("Cover", "movement", words(["UP", "opening"], ["DOWN", "closing"], ["STOP", "stopped"])),
    motor_state: row("Cover", "movement", same("opening", "closing", "stopped")),
  },
};

/** The standard property of a feature; undefined when there is none. Never wider than the class allows. */
export function standardFeature(feature: Feature, config: DeviceConfig): StandardFeature | undefined {
  const { of, name, expose, path } = feature;
  if (path.length > 1) return undefined;
  const own = rowsOf(of, name);
  for (const { service, property, rule } of own.length > 0 ? own : rowsOf("generic", name)) {
    const standard = standardProperty(service, property);
    const applied = standard && hasKind(standard, expose) ? rule(expose, config) : undefined;
    if (!standard || !applied) continue;
    return { service, description: narrowed(standard, applied.limits), codec: applied.codec };
  }
  return undefined;
}

function rowsOf(of: string, name: string): readonly Row[] {
  const rows = Object.hasOwn(ROWS, of) ? ROWS[of] : undefined;
  const found = rows && Object.hasOwn(rows, name) ? rows[name] : undefined;
  return found === undefined ? [] : [found].flat();
}

function hasKind({ type }: PropertyDescription, expose: Expose): boolean {
  if (type === "boolean") return expose.type === "binary" || expose.type === "enum";
  return type === "string" ? expose.type === "enum" : expose.type === "numeric";
}

function narrowed(standard: PropertyDescription, limits: Partial<PropertyDescription> = {}): PropertyDescription {
  const { min, max, step, values } = limits;
  const lowest = Math.max(standard.min ?? Number.NEGATIVE_INFINITY, min ?? Number.NEGATIVE_INFINITY);
  const highest = Math.min(standard.max ?? Number.POSITIVE_INFINITY, max ?? Number.POSITIVE_INFINITY);
  // Limits that exclude every value are a mistake of the description.
  const isEmpty = lowest > highest;
  return {
    ...standard,
    ...(Number.isFinite(lowest) && !isEmpty ? { min: lowest } : {}),
    ...(Number.isFinite(highest) && !isEmpty ? { max: highest } : {}),
    ...(step === undefined ? {} : { step }),
    ...(values === undefined ? {} : { values }),
  };
}
