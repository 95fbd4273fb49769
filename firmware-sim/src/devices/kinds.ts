/** Ready-made devices, each a row: its services, its values at the start, what it says of itself and what it does. */
import {
  CATALOGUE,
  type DeviceAbout,
  type DeviceDescription,
  type ServiceDescription,
  type Value,
} from "@porchlight/shared/model";
import { type Behaviour, coverBehaviour, THERMOSTAT } from "./behaviour.ts";

export interface Kind {
  readonly model: string;
  readonly services: DeviceDescription;
  /** By `SERVICE:INDEX.PROPERTY`. */
  readonly values: Readonly<Record<string, Value>>;
  /** A behaviour of its own for each device. */
  readonly behaviour?: (() => Behaviour) | undefined;
}

/** A service of the catalogue with all of its properties. */
export function standardService(service: string, index = "0"): ServiceDescription {
  return { service, index, properties: CATALOGUE.get(service) ?? [] };
}

const services = (...names: string[]): DeviceDescription => names.map((name) => standardService(name));
const BATTERY = { "Battery:0.percent": 93, "Battery:0.low": false };

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
    },
  ],
  [
    "two-gang-switch",
    {
      model: "Two-gang switch",
      services: [standardService("Switch", "0"), standardService("Switch", "1")],
      values: { "Switch:0.on": false, "Switch:1.on": false },
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
      behaviour: () => THERMOSTAT,
    },
  ],
  [
    "contact-sensor",
    {
      model: "Contact sensor",
      services: services("Contact", "Battery"),
      values: { "Contact:0.open": false, ...BATTERY },
    },
  ],
  ["button", { model: "Button", services: services("Button", "Battery"), values: BATTERY }],
  [
    "cover",
    {
      model: "Cover",
      services: services("Cover"),
      values: { "Cover:0.position": 100, "Cover:0.movement": "stopped" },
      behaviour: coverBehaviour,
    },
  ],
]);

/** What a ready-made device says of itself, with what its owner says on top. */
export function aboutKind(kind: Kind, about: DeviceAbout): DeviceAbout {
  return { manufacturer: "Porchlight", model: kind.model, firmware: "1.0.0", ...about };
}
