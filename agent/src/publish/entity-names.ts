/** The names of entities: English words derived from the names of services and properties. */
import type { PropertyAddress } from "@porchlight/shared/model";

/** Services whose name is left out, because their properties have unique names. */
const WITHOUT_SERVICE = new Set(["Settings", "Readings"]);

/** `Temperature`, `Power on behavior`, `Switch watts 1`: an index other than 0 is appended. */
export function nameOf(address: PropertyAddress): string {
  const { service, index, property } = address;
  const standard = STANDARD_NAMES.get(`${service}.${property}`);
  const own = WITHOUT_SERVICE.has(service) ? inWords(property) : inWords(`${service}-${property}`);
  return withIndex(standard ?? own, index);
}

export function withIndex(name: string, index: string): string {
  return index === "0" ? name : `${name} ${index}`;
}

/** The ID of a property's entity, unique within its device. */
export function objectOf({ service, index, property }: PropertyAddress): string {
  return `${service}_${index}_${property}`;
}

/** `powerOnBehavior` as `Power on behavior`. */
function inWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/[_-]+/g, " ");
  const lower = words.trim().toLowerCase();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** A reading of the catalogue with its name and its device class in Home Assistant. */
interface StandardReading {
  readonly name: string;
  readonly deviceClass: string;
  /** It describes the device itself rather than its surroundings. */
  readonly isDiagnostic?: boolean;
  /** The value only grows. */
  readonly isTotal?: boolean;
  /** Home Assistant's `on` is the property's `false`. */
  readonly isInverted?: boolean;
}

const READINGS: Readonly<Record<string, StandardReading>> = {
  "Temperature.celsius": { name: "Temperature", deviceClass: "temperature" },
  "Humidity.percent": { name: "Humidity", deviceClass: "humidity" },
  "Pressure.hectopascal": { name: "Pressure", deviceClass: "atmospheric_pressure" },
  "Illuminance.lux": { name: "Illuminance", deviceClass: "illuminance" },
  "AirQuality.co2": { name: "Carbon dioxide", deviceClass: "carbon_dioxide" },
  "AirQuality.pm25": { name: "Particulate matter 2.5", deviceClass: "pm25" },
  "AirQuality.voc": { name: "Volatile organic compounds", deviceClass: "volatile_organic_compounds_parts" },
  "Battery.percent": { name: "Battery", deviceClass: "battery", isDiagnostic: true },
  "Battery.volts": { name: "Battery voltage", deviceClass: "voltage", isDiagnostic: true },
  "Electricity.watts": { name: "Power", deviceClass: "power" },
  "Electricity.volts": { name: "Voltage", deviceClass: "voltage" },
  "Electricity.amperes": { name: "Current", deviceClass: "current" },
  "Electricity.hertz": { name: "Frequency", deviceClass: "frequency" },
  "Electricity.energy": { name: "Energy", deviceClass: "energy", isTotal: true },
  "Electricity.produced": { name: "Produced energy", deviceClass: "energy", isTotal: true },
  "Signal.rssi": { name: "Signal strength", deviceClass: "signal_strength", isDiagnostic: true },
};

const DETECTIONS: Readonly<Record<string, StandardReading>> = {
  "Motion.detected": { name: "Motion", deviceClass: "motion" },
  "Occupancy.occupied": { name: "Occupancy", deviceClass: "occupancy" },
  "Contact.open": { name: "Contact", deviceClass: "opening" },
  "WaterLeak.detected": { name: "Water leak", deviceClass: "moisture" },
  "Smoke.detected": { name: "Smoke", deviceClass: "smoke" },
  "CarbonMonoxide.detected": { name: "Carbon monoxide", deviceClass: "carbon_monoxide" },
  "Tamper.detected": { name: "Tamper", deviceClass: "tamper" },
  "Battery.low": { name: "Battery low", deviceClass: "battery", isDiagnostic: true },
  "Lock.jammed": { name: "Jammed", deviceClass: "problem" },
  "Lock.locked": { name: "Lock", deviceClass: "lock", isInverted: true },
  "Valve.open": { name: "Valve", deviceClass: "opening" },
};

/** Names of properties that are neither readings nor detections. */
const OTHERS: Readonly<Record<string, string>> = {
  "Switch.on": "Switch",
  "Switch.startUp": "Start-up state",
  "LightLevel.level": "Brightness",
  "LightLevel.target": "Target brightness",
  "LightColor.hue": "Hue",
  "LightColor.saturation": "Saturation",
  "LightTemperature.kelvin": "Color temperature",
  "Cover.position": "Position",
  "Cover.target": "Target position",
  "Cover.movement": "Movement",
  "Fan.on": "Fan",
  "Fan.speed": "Fan speed",
  "Thermostat.mode": "Mode",
  "Thermostat.target": "Target temperature",
  "Thermostat.activity": "Activity",
  "Button.event": "Button",
  "Identify.active": "Identify",
};

/** Numeric readings, by `SERVICE.PROPERTY`. */
export const STANDARD_READINGS: ReadonlyMap<string, StandardReading> = new Map(Object.entries(READINGS));
/** Boolean readings, by `SERVICE.PROPERTY`. */
export const STANDARD_DETECTIONS: ReadonlyMap<string, StandardReading> = new Map(Object.entries(DETECTIONS));
/** By `SERVICE.PROPERTY`. */
const STANDARD_NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ...READINGS, ...DETECTIONS }).map(([key, { name }]) => [key, name] as const),
  ...Object.entries(OTHERS),
]);
