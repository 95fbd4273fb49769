/**
 * Virtual components: `boolean`, `number`, `enum` and `text` values that a service or a person added to a device. An optional role states
 * their meaning.
 */
import {
  at,
  fahrenheitOf,
  readCelsius,
  type TemperatureScale,
  temperatureScale,
  withoutNoise,
} from "@porchlight/driver-kit";
import type { PropertyDescription, Value } from "@porchlight/shared/model";
import {
  call,
  custom,
  type DescribedComponent,
  readsFlag,
  readsNumber,
  readsText,
  type ShellyComponent,
  type ShellyProperty,
  type StatusReader,
  standard,
} from "./shelly-property.ts";

const METHODS: Readonly<Record<string, string>> = {
  boolean: "Boolean.Set",
  number: "Number.Set",
  enum: "Enum.Set",
  text: "Text.Set",
};
const READS: Readonly<Record<string, StatusReader>> = {
  boolean: readsFlag("value"),
  number: readsNumber(["value"]),
  text: readsText("value"),
};
const TYPES: Readonly<Record<string, PropertyDescription["type"]>> = {
  boolean: "boolean",
  number: "number",
  enum: "string",
  text: "string",
};
/** Limits of a description. */
const LONGEST_UNIT = 16;
const MOST_OPTIONS = 64;
const LONGEST_NAME = 64;
/** Limits of a writable target; a virtual component can have its own step within them. */
const TARGETS = { min: 5, max: 35 };

export function virtual(of: ShellyComponent): DescribedComponent {
  const read = of.type === "enum" ? readsOption(of) : READS[of.type];
  const type = TYPES[of.type];
  if (!read || !type) return { properties: [], isPartial: true };
  const command = mayWrite(of) ? commandOf(of) : undefined;
  const known = standardOf(of, read, command);
  if (known.length > 0) return { properties: known };
  const description = { property: nameOf(of), type, ...limitsOf(of) };
  const binding = { read, command, apart: "name", isConfigured: true } as const;
  return { properties: custom(of, description, binding, { index: 0 }) };
}

/** A value outside the options is invalid. The options are a person's own words, so their case matters. */
function readsOption({ config }: ShellyComponent): StatusReader {
  const options: readonly unknown[] | undefined = Array.isArray(config.options) ? config.options : undefined;
  return (status) => {
    const option = readsText("value")(status);
    return typeof option !== "string" || !options || options.includes(option) ? option : null;
  };
}

/** The standard property of the component's role. */
function standardOf(of: ShellyComponent, read: StatusReader, command: ShellyProperty["command"]): ShellyProperty[] {
  const role = String(of.config.role ?? "");
  if (of.type === "boolean" && command) {
    const zone = /^zone([0-9]{1,2})$/.exec(role)?.[1];
    return zone === undefined ? [] : standard(of, "Valve.open", { read, command }, {}, Number(zone));
  }
  if (of.type !== "number") return [];
  const scale = temperatureScale(unitOf(of));
  const isConfigured = true;
  if (role === "current_humidity" && unitOf(of) === "%")
    return standard(of, "Humidity.percent", { read, isConfigured }, {}, 0);
  if (!scale) return [];
  const celsius: StatusReader = ({ value }) => readCelsius(value, scale);
  if (role === "current_temperature")
    return standard(of, "Temperature.celsius", { read: celsius, isConfigured }, {}, 0);
  return role === "target_temperature" ? target(of, scale, celsius, command) : [];
}

function target(of: ShellyComponent, scale: TemperatureScale, read: StatusReader, command: ShellyProperty["command"]) {
  const inCelsius = (value: number | undefined) => (value === undefined ? undefined : readCelsius(value, scale));
  const { min, max, step } = limitsOf(of);
  const limits = {
    min: Math.max(inCelsius(min) ?? TARGETS.min, TARGETS.min),
    max: Math.min(inCelsius(max) ?? TARGETS.max, TARGETS.max),
    ...(step && { step: scale === "fahrenheit" ? withoutNoise((step * 5) / 9) : step }),
  };
  const set: ShellyProperty["command"] =
    command && ((value, status) => command(withoutNoise(inScale(Number(value), scale)), status));
  return standard(of, "Thermostat.target", { read, command: set, isConfigured: true }, limits, 0);
}

function inScale(celsius: number, scale: TemperatureScale): number {
  if (scale === "celsius") return celsius;
  return scale === "kelvin" ? celsius + 273.15 : fahrenheitOf(celsius);
}

function commandOf({ type, id }: ShellyComponent): ShellyProperty["command"] {
  const method = METHODS[type];
  if (method === undefined) return undefined;
  return (value: Value) => call(method, { id, value }, (status) => status.value === value);
}

/** `access` has one letter for each permission (`crw`); `w` permits writing. */
function mayWrite({ config }: ShellyComponent): boolean {
  return typeof config.access !== "string" || config.access.includes("w");
}

/** The role, else the name that a person chose, else the key, converted to a property name. */
function nameOf({ type, id, config }: ShellyComponent): string {
  for (const name of [config.role, config.name]) {
    if (typeof name !== "string") continue;
    const words = name.match(/[A-Za-z0-9]+/g) ?? [];
    const camel = words.map((word, place) => (place === 0 ? word.toLowerCase() : capital(word))).join("");
    if (/^[A-Za-z]/.test(camel) && camel.length <= LONGEST_NAME) return camel;
  }
  return `${type}${id}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
}

function limitsOf(of: ShellyComponent): Pick<PropertyDescription, "min" | "max" | "step" | "unit" | "values"> {
  const { config, type } = of;
  if (type === "enum") {
    const options = Array.isArray(config.options) ? config.options.filter((each) => typeof each === "string") : [];
    return options.length > 0 && options.length <= MOST_OPTIONS ? { values: options } : {};
  }
  if (type !== "number") return {};
  const [unit, step] = [unitOf(of), at(config, "meta", "ui", "step")];
  return {
    ...(unit === undefined ? {} : { unit }),
    ...(isNumber(config.min) && { min: config.min }),
    ...(isNumber(config.max) && { max: config.max }),
    ...(isNumber(step) && step > 0 && { step }),
  };
}

function unitOf({ config }: ShellyComponent): string | undefined {
  const unit = at(config, "meta", "ui", "unit");
  return typeof unit === "string" && unit !== "" && unit.length <= LONGEST_UNIT ? unit : undefined;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
