/** Endpoints and clusters of a device for Matter controllers, as data independent of the library. */
import type { Value } from "@porchlight/shared/model";

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

/** Every cluster in use; `matter/clusters.ts` has the library's class of each. */
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
