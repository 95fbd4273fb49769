/** The standard service classes: their properties, types, units, ranges and titles. */
import type { Access, PropertyDescription, PropertyType } from "./property-schema.ts";

const READ: readonly Access[] = ["read", "notify"];
const READ_WRITE: readonly Access[] = ["read", "write", "notify"];

type Range = Omit<PropertyDescription, "property" | "type" | "access">;

function property(name: string, type: PropertyType, access: readonly Access[], range: Range = {}): PropertyDescription {
  return { property: name, type, ...range, access };
}

const flag = (name: string, access = READ) => property(name, "boolean", access);
const measure = (name: string, unit: string) => property(name, "number", READ, { unit });
const percent = (name: string, access = READ) => property(name, "number", access, { unit: "%", min: 0, max: 100 });
const word = (name: string, values: readonly string[], access = READ) => property(name, "string", access, { values });

/** Properties of each class; a device has them unless its description leaves them out. */
export const CATALOGUE: ReadonlyMap<string, readonly PropertyDescription[]> = new Map([
  ["Switch", [flag("on", READ_WRITE)]],
  ["LightLevel", [percent("level", READ_WRITE)]],
  [
    "LightColor",
    [property("hue", "number", READ_WRITE, { unit: "deg", min: 0, max: 360 }), percent("saturation", READ_WRITE)],
  ],
  ["LightTemperature", [property("kelvin", "integer", READ_WRITE, { unit: "K", min: 1000, max: 10_000 })]],
  ["Cover", [percent("position", READ_WRITE), word("movement", ["stopped", "opening", "closing"])]],
  ["Fan", [flag("on", READ_WRITE), percent("speed", READ_WRITE)]],
  ["Lock", [flag("locked", READ_WRITE), flag("jammed")]],
  ["Valve", [flag("open", READ_WRITE)]],
  [
    "Thermostat",
    [
      word("mode", ["off", "heat", "cool", "auto"], READ_WRITE),
      property("target", "number", READ_WRITE, { unit: "°C", min: 5, max: 35 }),
      word("activity", ["idle", "heating", "cooling"]),
    ],
  ],
  ["Temperature", [measure("celsius", "°C")]],
  ["Humidity", [measure("percent", "%")]],
  ["Pressure", [measure("hectopascal", "hPa")]],
  ["Illuminance", [measure("lux", "lx")]],
  ["AirQuality", [measure("co2", "ppm"), measure("pm25", "µg/m³"), measure("voc", "ppb")]],
  ["Motion", [flag("detected")]],
  ["Occupancy", [flag("occupied")]],
  ["Contact", [flag("open")]],
  ["WaterLeak", [flag("detected")]],
  ["Smoke", [flag("detected")]],
  ["CarbonMonoxide", [flag("detected")]],
  ["Tamper", [flag("detected")]],
  ["Button", [property("event", "string", ["notify"], { values: ["press", "release", "double", "long"] })]],
  ["Battery", [percent("percent"), flag("low")]],
  ["Electricity", [measure("watts", "W"), measure("volts", "V"), measure("amperes", "A"), measure("energy", "kWh")]],
  ["Identify", [flag("active", READ_WRITE)]],
  ["Signal", [measure("rssi", "dBm")]],
]);

/** Optional properties of each class; a device has them when its description names them. */
export const OPTIONAL_PROPERTIES: ReadonlyMap<string, readonly PropertyDescription[]> = new Map([
  ["Switch", [word("startUp", ["off", "on", "toggle", "previous"], READ_WRITE)]],
  ["LightLevel", [percent("target", READ_WRITE)]],
  ["Cover", [percent("target", READ_WRITE)]],
  ["Battery", [measure("volts", "V")]],
  ["Electricity", [measure("hertz", "Hz"), measure("produced", "kWh")]],
]);

/** Meters that count upwards, as `Class.property`. */
const TOTALS: ReadonlySet<string> = new Set(["Electricity.energy", "Electricity.produced"]);

/** Whether a property counts upwards: its growth over a time is then more useful than its mean. */
export function isTotal(service: string, name: string): boolean {
  return TOTALS.has(`${service}.${name}`);
}

/** Units of quantities that always stay within their range. */
const SHARE_UNITS: ReadonlySet<string | undefined> = new Set(["%", "deg", "K"]);

/** Whether a property always stays within its range (a position, a level, a hue, a charge), unlike a sensor's measurement. */
export function isShare(service: string, name: string): boolean {
  const standard = standardProperty(service, name);
  return standard?.max !== undefined && SHARE_UNITS.has(standard.unit);
}

/** The catalogue's description of a standard property, including optional ones. */
export function standardProperty(service: string, name: string): PropertyDescription | undefined {
  const all = [...(CATALOGUE.get(service) ?? []), ...(OPTIONAL_PROPERTIES.get(service) ?? [])];
  return all.find((description) => description.property === name);
}

interface ClassTitles {
  /** Title of the class: "Light colour". */
  readonly title: string;
  /** By the property's name, including optional properties. */
  readonly properties: Readonly<Record<string, string>>;
}

const titles = (title: string, properties: Readonly<Record<string, string>>): ClassTitles => ({ title, properties });

/** Titles of the standard classes and their properties, for pages and programs that show titles and send names. */
export const CATALOGUE_TITLES: ReadonlyMap<string, ClassTitles> = new Map([
  ["Switch", titles("Switch", { on: "Power", startUp: "After a power cut" })],
  ["LightLevel", titles("Brightness", { level: "Brightness", target: "Target brightness" })],
  ["LightColor", titles("Colour", { hue: "Hue", saturation: "Saturation" })],
  ["LightTemperature", titles("Colour temperature", { kelvin: "Colour temperature" })],
  ["Cover", titles("Cover", { position: "Position", movement: "Movement", target: "Target position" })],
  ["Fan", titles("Fan", { on: "Power", speed: "Speed" })],
  ["Lock", titles("Lock", { locked: "Lock", jammed: "Jam" })],
  ["Valve", titles("Valve", { open: "Valve" })],
  ["Thermostat", titles("Heating and cooling", { mode: "Mode", target: "Target temperature", activity: "Activity" })],
  ["Temperature", titles("Temperature", { celsius: "Temperature" })],
  ["Humidity", titles("Humidity", { percent: "Humidity" })],
  ["Pressure", titles("Air pressure", { hectopascal: "Air pressure" })],
  ["Illuminance", titles("Illuminance", { lux: "Illuminance" })],
  ["AirQuality", titles("Air quality", { co2: "CO₂", pm25: "Fine dust (PM2.5)", voc: "Volatile compounds" })],
  ["Motion", titles("Motion", { detected: "Motion" })],
  ["Occupancy", titles("Occupancy", { occupied: "Occupancy" })],
  ["Contact", titles("Contact", { open: "Contact" })],
  ["WaterLeak", titles("Water leak", { detected: "Water" })],
  ["Smoke", titles("Smoke", { detected: "Smoke" })],
  ["CarbonMonoxide", titles("Carbon monoxide", { detected: "Carbon monoxide" })],
  ["Tamper", titles("Tampering", { detected: "Tampering" })],
  ["Button", titles("Button", { event: "Last press" })],
  ["Battery", titles("Battery", { percent: "Battery", low: "Battery low", volts: "Battery voltage" })],
  [
    "Electricity",
    titles("Electricity", {
      watts: "Power draw",
      volts: "Voltage",
      amperes: "Current",
      energy: "Energy used",
      hertz: "Mains frequency",
      produced: "Energy produced",
    }),
  ],
  ["Identify", titles("Identify", { active: "Identifying" })],
  ["Signal", titles("Signal", { rssi: "Signal strength" })],
]);
