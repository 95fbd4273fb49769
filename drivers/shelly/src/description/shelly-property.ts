/** Properties of a described Shelly: how each is read from the status, and the call that sets it. */
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";

/** Status or configuration of one component. */
export type ComponentJson = Readonly<Record<string, unknown>>;

/** All components, by key: `switch:0`, `sys`. */
export type ComponentsJson = Readonly<Record<string, ComponentJson>>;

/** A component and its parsed key: `input:2` has the type `input` and the id 2. */
export interface ShellyComponent {
  readonly key: string;
  readonly type: string;
  /** 0 when the device has only one component of the type. */
  readonly id: number;
  readonly config: ComponentJson;
  readonly status: ComponentJson;
}

/** A call that sets a property. */
export interface ShellyCommand {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the component's status confirms the new value. */
  readonly isSo: (status: ComponentJson) => boolean;
}

export interface ShellyProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** Key of the component whose status has the property. */
  readonly component: string;
  /** Undefined when the status does not contain the property, `null` when it has no value. Never throws. */
  readonly read?: ((status: ComponentJson) => Value | undefined) | undefined;
  /** Value of an event of the component (`NotifyEvent`); undefined for an event without a meaning here. */
  readonly event?: ((name: string) => Value | undefined) | undefined;
  /** Left out for a read-only property. The value has already been validated against the description. */
  readonly command?: ((value: Value, status: ComponentJson) => ShellyCommand) | undefined;
  /**
   * Members of the status that list errors; any error makes the value `null`. Defaults to `errors`, or to none for a writable property,
   * because the device knows what it was set to.
   */
  readonly faults?: readonly string[] | undefined;
  /** The configuration defines the meaning of the value, such as its unit; the value is `null` while the configuration changes. */
  readonly isConfigured?: boolean | undefined;
  /** Resolves a collision of addresses by another name, not by another index. */
  readonly apart?: "name" | undefined;
}

/**
 * A device as described to the hub. Its properties have the addresses that their components request, until `placedShelly` assigns the
 * stored ones.
 */
export interface ShellyDescription {
  readonly edgeId: string;
  /** The device's ID in the protocol: `shelly2pmg3-aabbccddeeff`. */
  readonly id: string;
  readonly about: DeviceAbout;
  readonly properties: readonly ShellyProperty[];
  /** How often a sleeping device wakes, ms; undefined for a device that does not sleep. */
  readonly wakeupMs?: number | undefined;
  /** Number of components that are not described, or only in part, by type. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Properties of one component. */
export interface DescribedComponent {
  readonly properties: readonly ShellyProperty[];
  /** Whether the component has functions that are not described. */
  readonly isPartial?: boolean | undefined;
}
