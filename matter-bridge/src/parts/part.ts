/**
 * Endpoints and clusters of a device for Matter controllers, with Matter's device types, as data independent of the library; and the
 * properties of a device that no endpoint has claimed yet.
 */
import {
  addressKey,
  type DescribedProperty,
  type DeviceDescription,
  describe,
  type Value,
} from "@porchlight/shared/model";

/** Known values of a device's properties, by key `SERVICE:INDEX.PROPERTY`. */
export interface Values {
  /** Undefined while the value is unknown. */
  value(key: string): Value | undefined;
  /** When the value last changed, wall-clock ms; 0 while it is unknown. */
  changedAt(key: string): number;
}

/** Attributes of a cluster, by name. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A property of the hub that a command or a write of Matter sets. */
export interface Write {
  /** `SERVICE:INDEX.PROPERTY`. */
  readonly key: string;
  readonly value: Value;
}

/**
 * Writes for the hub, in order; empty when there is nothing to do. `constraint`: the device does not accept that value; `unsupported`:
 * the device does not support the command.
 */
export type Asked = readonly Write[] | { readonly refused: "constraint" | "unsupported" };

/** An event, as opposed to a state; for example a button press. */
export interface Happening {
  /** Name of the cluster's event. */
  readonly event: string;
  readonly data: Attributes;
}

export interface ShownCluster {
  readonly cluster: ClusterName;
  /** Names of the cluster's features. */
  readonly features: readonly string[];
  /** Computes all attributes from the current values. */
  readonly attributes: (values: Values) => Attributes;
  /** Commands by name; each gets its fields. */
  readonly commands?: Readonly<Record<string, (fields: Attributes, values: Values) => Asked>>;
  /** Attributes that a controller can write, by name. */
  readonly writes?: Readonly<Record<string, (value: unknown, values: Values) => Asked>>;
  /** Events that follow from a new value of a property. */
  readonly happenings?: (key: string, value: Value) => readonly Happening[];
}

export interface DeviceType {
  readonly name: string;
  readonly code: number;
  readonly revision: number;
}

/** One endpoint. */
export interface Part {
  /** Identifies the part within its device, always the same for the same service: `light:0`. */
  readonly key: string;
  readonly type: DeviceType;
  /** Whether Matter requires the Groups cluster for the type. */
  readonly hasGroups: boolean;
  readonly clusters: readonly ShownCluster[];
}

/** Every cluster in use; `matter/behaviors.ts` has the library's class of each. */
export type ClusterName =
  | "airQuality"
  | "booleanState"
  | "carbonDioxideConcentrationMeasurement"
  | "colorControl"
  | "doorLock"
  | "electricalEnergyMeasurement"
  | "electricalPowerMeasurement"
  | "fanControl"
  | "illuminanceMeasurement"
  | "levelControl"
  | "occupancySensing"
  | "onOff"
  | "pm25ConcentrationMeasurement"
  | "powerSource"
  | "powerTopology"
  | "pressureMeasurement"
  | "relativeHumidityMeasurement"
  | "smokeCoAlarm"
  | "switch"
  | "temperatureMeasurement"
  | "thermostat"
  | "totalVolatileOrganicCompoundsConcentrationMeasurement"
  | "valveConfigurationAndControl"
  | "windowCovering";

const type = (name: string, code: number, revision: number): DeviceType => ({ name, code, revision });

export const DEVICE_TYPES = {
  onOffPlug: type("OnOffPlugInUnit", 0x10a, 4),
  onOffLight: type("OnOffLight", 0x100, 3),
  dimmableLight: type("DimmableLight", 0x101, 3),
  temperatureLight: type("ColorTemperatureLight", 0x10c, 4),
  colorLight: type("ExtendedColorLight", 0x10d, 4),
  windowCovering: type("WindowCovering", 0x202, 6),
  doorLock: type("DoorLock", 0x0a, 4),
  thermostat: type("Thermostat", 0x301, 6),
  fan: type("Fan", 0x2b, 4),
  waterValve: type("WaterValve", 0x42, 1),
  temperatureSensor: type("TemperatureSensor", 0x302, 3),
  humiditySensor: type("HumiditySensor", 0x307, 3),
  pressureSensor: type("PressureSensor", 0x305, 3),
  lightSensor: type("LightSensor", 0x106, 4),
  airQualitySensor: type("AirQualitySensor", 0x2c, 1),
  occupancySensor: type("OccupancySensor", 0x107, 4),
  contactSensor: type("ContactSensor", 0x15, 2),
  waterLeakDetector: type("WaterLeakDetector", 0x43, 2),
  smokeCoAlarm: type("SmokeCoAlarm", 0x76, 1),
  genericSwitch: type("GenericSwitch", 0x0f, 3),
  electricalSensor: type("ElectricalSensor", 0x510, 1),
  powerSource: type("PowerSource", 0x11, 1),
} as const satisfies Readonly<Record<string, DeviceType>>;

export class Unclaimed {
  readonly #properties: Map<string, DescribedProperty>;
  readonly #indexes: readonly (readonly [service: string, index: string])[];

  constructor(description: DeviceDescription) {
    this.#properties = new Map(describe(description).byKey);
    this.#indexes = description.map(({ service, index }) => [service, index]);
  }

  /** Indexes of a service class, in the order of the description. */
  indexes(service: string): string[] {
    return this.#indexes.filter(([name]) => name === service).map(([, index]) => index);
  }

  look(service: string, index: string, property: string): DescribedProperty | undefined {
    return this.#properties.get(addressKey({ service, index, property }));
  }

  /** Like {@link look}, but only for a writable property. */
  settable(service: string, index: string, property: string): DescribedProperty | undefined {
    const found = this.look(service, index, property);
    return found?.writable ? found : undefined;
  }

  claim(...properties: readonly (DescribedProperty | undefined)[]): void {
    for (const property of properties) if (property) this.#properties.delete(property.key);
  }
}

/**
 * `not_done`: nothing happened, and a repetition is safe; `rejected`: the device refused; `unknown`: it may have happened; `constraint`:
 * the device does not accept that value; `unsupported`: the device does not support the command.
 */
export type Verdict =
  | { readonly kind: "done" }
  | {
      readonly kind: "not_done" | "rejected" | "unknown" | "constraint" | "unsupported";
      readonly why: string;
    };

export const DONE: Verdict = { kind: "done" };
