/** Predefined kinds of devices, one in each row: services, initial values, metadata and behaviour. */
import {
  CATALOGUE,
  type DeviceAbout,
  type DeviceDescription,
  type ServiceDescription,
  type Value,
} from "@porchlight/shared/model";
import type { Behaviour } from "./fade.ts";
import { type BehaviourInput, behaviourEntry } from "./file-schema.ts";
import { readBehaviours } from "./read-behaviours.ts";

export interface Kind {
  readonly model: string;
  readonly services: DeviceDescription;
  /** By `SERVICE:INDEX.PROPERTY`. */
  readonly values: Readonly<Record<string, Value>>;
  /** Behaviour of its hardware, always present: how one property moves another. */
  readonly always?: readonly BehaviourInput[] | undefined;
  /** Additional behaviour in an inhabited home, when the file sets `lively`. */
  readonly lively: readonly BehaviourInput[];
}

/** A service of the catalogue with the properties that each device of its class has. */
export function standardService(service: string, index = "0"): ServiceDescription {
  return { service, index, properties: CATALOGUE.get(service) ?? [] };
}

const services = (...names: string[]): DeviceDescription => names.map((name) => standardService(name));
const BATTERY = { "Battery:0.percent": 93, "Battery:0.low": false };
/** Two years from full to empty, and a warning at 15 %. */
const DRAINS: readonly BehaviourInput[] = [
  { drain: { hours: 17_520 } },
  { follow: { property: "Battery.low", of: "Battery.percent", below: 15 } },
];
const person = (seconds: number, ...does: string[]): BehaviourInput => ({ person: { seconds, does } });
const varies = (property: string, least: number, largest: number, step: number): BehaviourInput => ({
  wander: { property, between: [least, largest], step },
});
const day = (property: string, least: number, largest: number): BehaviourInput => ({
  wave: { property, between: [least, largest] },
});

export const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  [
    "colour-light",
    {
      model: "Colour light",
      services: services("Switch", "LightLevel", "LightColor", "LightTemperature"),
      values: {
        "Switch:0.on": false,
        "LightLevel:0.level": 100,
        "LightColor:0.hue": 40,
        "LightColor:0.saturation": 60,
        "LightTemperature:0.kelvin": 2700,
      },
      lively: [{ fade: { property: "LightLevel.level", seconds: 2 } }, person(120, "toggle Switch.on")],
    },
  ],
  [
    "two-gang-switch",
    {
      model: "Two-gang switch",
      services: [standardService("Switch", "0"), standardService("Switch", "1")],
      values: { "Switch:0.on": false, "Switch:1.on": false },
      lively: [person(90, "toggle Switch:0.on", "toggle Switch:1.on")],
    },
  ],
  [
    "plug",
    {
      model: "Metering plug",
      services: services("Switch", "Electricity"),
      values: {
        "Switch:0.on": false,
        "Electricity:0.watts": 0,
        "Electricity:0.volts": 230,
        "Electricity:0.amperes": 0,
        "Electricity:0.energy": 12.5,
      },
      always: [
        { follow: { property: "Electricity.watts", of: "Switch.on", values: { true: 60, false: 0 } } },
        { follow: { property: "Electricity.amperes", of: "Electricity.watts", times: 1 / 240 } },
      ],
      lively: [
        { count: { property: "Electricity.energy", of: "Electricity.watts", perHour: 0.001 } },
        varies("Electricity.volts", 225, 236, 1),
      ],
    },
  ],
  [
    "fan",
    {
      model: "Fan",
      services: services("Fan"),
      values: { "Fan:0.on": false, "Fan:0.speed": 40 },
      lively: [{ fade: { property: "Fan.speed", seconds: 4 } }, person(300, "toggle Fan.on")],
    },
  ],
  [
    "lock",
    {
      model: "Door lock",
      services: services("Lock", "Battery"),
      values: { "Lock:0.locked": true, "Lock:0.jammed": false, ...BATTERY },
      lively: [...DRAINS, person(300, "toggle Lock.locked")],
    },
  ],
  [
    "valve",
    {
      model: "Water valve",
      services: services("Valve"),
      values: { "Valve:0.open": true },
      lively: [person(600, "toggle Valve.open")],
    },
  ],
  [
    "thermostat",
    {
      model: "Thermostat",
      services: services("Thermostat", "Temperature"),
      values: {
        "Thermostat:0.mode": "heat",
        "Thermostat:0.target": 20,
        "Thermostat:0.activity": "idle",
        "Temperature:0.celsius": 20.5,
      },
      always: [{ regulate: {} }],
      lively: [{ room: { heating: "Thermostat.activity" } }],
    },
  ],
  [
    "climate-sensor",
    {
      model: "Climate sensor",
      services: services("Temperature", "Humidity", "Pressure", "Battery", "Signal"),
      values: {
        "Temperature:0.celsius": 21,
        "Humidity:0.percent": 45,
        "Pressure:0.hectopascal": 1013,
        ...BATTERY,
        "Signal:0.rssi": -61,
      },
      lively: [
        ...DRAINS,
        varies("Temperature.celsius", 18, 24, 0.2),
        varies("Humidity.percent", 35, 60, 1),
        varies("Pressure.hectopascal", 985, 1035, 0.5),
        varies("Signal.rssi", -85, -50, 3),
      ],
    },
  ],
  [
    "air-sensor",
    {
      model: "Air quality sensor",
      services: services("AirQuality"),
      values: { "AirQuality:0.co2": 620, "AirQuality:0.pm25": 4, "AirQuality:0.voc": 90 },
      lively: [varies("AirQuality.co2", 420, 1600, 40), varies("AirQuality.pm25", 0, 40, 2)],
    },
  ],
  [
    "light-sensor",
    {
      model: "Light sensor",
      services: services("Illuminance", "Battery"),
      values: { "Illuminance:0.lux": 320, ...BATTERY },
      lively: [...DRAINS, day("Illuminance.lux", 0, 9000)],
    },
  ],
  [
    "motion-sensor",
    {
      model: "Motion sensor",
      services: services("Motion", "Occupancy", "Battery"),
      values: { "Motion:0.detected": false, "Occupancy:0.occupied": false, ...BATTERY },
      always: [{ back: { property: "Motion.detected", to: false, seconds: 30 } }],
      lively: [...DRAINS, person(120, "set Motion.detected true", "toggle Occupancy.occupied")],
    },
  ],
  [
    "contact-sensor",
    {
      model: "Contact sensor",
      services: services("Contact", "Tamper", "Battery"),
      values: { "Contact:0.open": false, "Tamper:0.detected": false, ...BATTERY },
      lively: [...DRAINS, person(180, "toggle Contact.open")],
    },
  ],
  [
    "water-sensor",
    {
      model: "Water sensor",
      services: services("WaterLeak", "Battery"),
      values: { "WaterLeak:0.detected": false, ...BATTERY },
      lively: [...DRAINS, { back: { property: "WaterLeak.detected", to: false, seconds: 600 } }],
    },
  ],
  [
    "smoke-alarm",
    {
      model: "Smoke alarm",
      services: services("Smoke", "CarbonMonoxide", "Battery"),
      values: { "Smoke:0.detected": false, "CarbonMonoxide:0.detected": false, ...BATTERY },
      lively: DRAINS,
    },
  ],
  [
    "button",
    {
      model: "Button",
      services: services("Button", "Battery"),
      values: BATTERY,
      lively: [...DRAINS, person(60, "press Button.event press", "press Button.event double")],
    },
  ],
  [
    "cover",
    {
      model: "Cover",
      services: services("Cover"),
      values: { "Cover:0.position": 100, "Cover:0.movement": "stopped" },
      always: [
        {
          fade: {
            property: "Cover.position",
            seconds: 5,
            every: 0.5,
            movement: { property: "Cover.movement", up: "opening", down: "closing", rest: "stopped" },
          },
        },
      ],
      lively: [person(900, "set Cover.position 0", "set Cover.position 100")],
    },
  ],
]);

/** The metadata of a predefined device, overridden by the file's. */
export function aboutKind(kind: Kind, about: DeviceAbout): DeviceAbout {
  return { manufacturer: "Porchlight", model: kind.model, firmware: "1.0.0", ...about };
}

/**
 * The behaviours of a predefined device: those of its hardware and those of a lively home. @throws Error when the kind's row does not
 * fit its own services
 */
export function kindBehaviours({ services, always = [], lively }: Kind, isLively: boolean): Behaviour[] {
  const entries = [...always, ...(isLively ? lively : [])].map((entry) => behaviourEntry.parse(entry));
  return readBehaviours(entries, services, (problem) => {
    throw new Error(problem);
  });
}
