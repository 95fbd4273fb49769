/** Derives a device's capabilities from its service classes: light, lock, climate sensor. Pure. */
import type { ServiceDescriptor } from "@porchlight/shared/api";
import type { IconName } from "../kit/display/icon.tsx";

export type Capability =
  | "lock"
  | "thermostat"
  | "cover"
  | "valve"
  | "fan"
  | "light"
  | "safety"
  | "contact"
  | "motion"
  | "button"
  | "switch"
  | "climate"
  | "meter"
  | "battery";

interface About {
  readonly icon: IconName;
  readonly one: string;
  readonly many: string;
  /** A device with any of these classes has the capability. */
  readonly classes: readonly string[];
}

/** The most characteristic capability comes first: a fan with a switch is a fan. */
export const CAPABILITIES: Readonly<Record<Capability, About>> = {
  lock: { icon: "lock", one: "Lock", many: "Locks", classes: ["Lock"] },
  thermostat: { icon: "thermostat", one: "Thermostat", many: "Thermostats", classes: ["Thermostat"] },
  cover: { icon: "cover", one: "Cover", many: "Covers", classes: ["Cover"] },
  valve: { icon: "valve", one: "Valve", many: "Valves", classes: ["Valve"] },
  fan: { icon: "fan", one: "Fan", many: "Fans", classes: ["Fan"] },
  light: { icon: "device", one: "Light", many: "Lights", classes: ["LightLevel", "LightColor", "LightTemperature"] },
  safety: {
    icon: "safety",
    one: "Safety sensor",
    many: "Safety sensors",
    classes: ["Smoke", "CarbonMonoxide", "WaterLeak"],
  },
  contact: { icon: "contact", one: "Door or window", many: "Doors and windows", classes: ["Contact"] },
  motion: { icon: "motion", one: "Motion sensor", many: "Motion sensors", classes: ["Motion", "Occupancy"] },
  button: { icon: "button", one: "Button", many: "Buttons", classes: ["Button"] },
  switch: { icon: "power", one: "Switch", many: "Switches", classes: ["Switch"] },
  climate: {
    icon: "climate",
    one: "Climate sensor",
    many: "Climate sensors",
    classes: ["Temperature", "Humidity", "Pressure", "AirQuality", "Illuminance"],
  },
  meter: { icon: "meter", one: "Energy meter", many: "Energy meters", classes: ["Electricity"] },
  battery: { icon: "battery", one: "Battery-powered device", many: "Battery-powered devices", classes: ["Battery"] },
};

const ALL = Object.keys(CAPABILITIES) as readonly Capability[];

export function isCapability(text: unknown): text is Capability {
  return typeof text === "string" && Object.hasOwn(CAPABILITIES, text);
}

/** All capabilities of a device, the most characteristic first. */
export function capabilitiesOf(services: readonly Pick<ServiceDescriptor, "service">[]): readonly Capability[] {
  const classes = new Set(services.map(({ service }) => service));
  return ALL.filter((each) => CAPABILITIES[each].classes.some((name) => classes.has(name)));
}

/** The icon of a device. @param services undefined while they are not known */
export function iconOf(services: readonly Pick<ServiceDescriptor, "service">[] | undefined): IconName {
  const [first] = capabilitiesOf(services ?? []);
  return first === undefined ? "thing" : CAPABILITIES[first].icon;
}

/** The word for a device's kind: "Light"; undefined when it has no standard capability. */
export function kindWord(services: readonly Pick<ServiceDescriptor, "service">[]): string | undefined {
  const [first] = capabilitiesOf(services);
  return first === undefined || first === "battery" ? undefined : CAPABILITIES[first].one;
}
