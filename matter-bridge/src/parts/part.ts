/** What of a device is shown to Matter controllers: endpoints with their clusters, as data that knows no library. */
import type { Value } from "@porchlight/shared/model";

/** What is known of a device's properties, each by its key, `SERVICE:INDEX.PROPERTY`. */
export interface Values {
  /** Undefined while it is not known. */
  value(key: string): Value | undefined;
  /** When it last became what it is, wall-clock ms; 0 while it is not known. */
  changedAt(key: string): number;
}

/** Attributes of a cluster by their names. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A property of the hub that a command or a write of Matter sets. */
export interface Write {
  /** `SERVICE:INDEX.PROPERTY`. */
  readonly key: string;
  readonly value: Value;
}

/**
 * What is asked of the hub, in order; nothing when there is nothing to do. `constraint`: the device cannot have that value;
 * `unsupported`: it cannot do that at all.
 */
export type Asked = readonly Write[] | { readonly refused: "constraint" | "unsupported" };

/** What happens at a moment and is no state, such as the press of a button. */
export interface Happening {
  /** Name of the cluster's event. */
  readonly event: string;
  readonly data: Attributes;
}

export interface ShownCluster {
  readonly cluster: ClusterName;
  /** Names of the cluster's features. */
  readonly features: readonly string[];
  /** All attributes that are told, as the values are now. */
  readonly attributes: (values: Values) => Attributes;
  /** Commands by their names, each with its fields. */
  readonly commands?: Readonly<Record<string, (fields: Attributes, values: Values) => Asked>>;
  /** Attributes that a controller can write, by their names. */
  readonly writes?: Readonly<Record<string, (value: unknown, values: Values) => Asked>>;
  /** What a new value of a property is told as besides. */
  readonly happenings?: (key: string, value: Value) => readonly Happening[];
}

export interface DeviceType {
  readonly name: string;
  readonly code: number;
  readonly revision: number;
}

/** One endpoint. */
export interface Part {
  /** Tells the parts of a device apart, always the same for the same service: `light:0`. */
  readonly key: string;
  readonly type: DeviceType;
  /** Whether Matter asks that the type can be in groups. */
  readonly hasGroups: boolean;
  readonly clusters: readonly ShownCluster[];
}

/** Every cluster that a family shows; `matter/clusters.ts` has the library's part of each. */
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
