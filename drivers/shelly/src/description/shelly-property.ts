/** What a Shelly is made of, once its components are described: properties that are read from its status, and the calls that set them. */
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";

/** What a device says of one component, or how one is configured. */
export type ComponentJson = Readonly<Record<string, unknown>>;

/** All components, by their keys: `switch:0`, `sys`. */
export type ComponentsJson = Readonly<Record<string, ComponentJson>>;

/** A component as its key names it: `input:2` is of type `input`, with id 2. */
export interface ShellyComponent {
  readonly key: string;
  readonly type: string;
  /** 0 for a component of which there is one only. */
  readonly id: number;
  readonly config: ComponentJson;
  readonly status: ComponentJson;
}

/** A call that sets a property. */
export interface ShellyCommand {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the component's status says that the property is now as it was set. */
  readonly isSo: (status: ComponentJson) => boolean;
}

export interface ShellyProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** Key of the component whose status says it. */
  readonly component: string;
  /** Undefined when the status says nothing of it, `null` when it says that there is no value. Never throws. */
  readonly read?: ((status: ComponentJson) => Value | undefined) | undefined;
  /** What an event of the component says (`NotifyEvent`); undefined when it says nothing. */
  readonly event?: ((name: string) => Value | undefined) | undefined;
  /** Left out when it cannot be set. The value fits the description. */
  readonly command?: ((value: Value, status: ComponentJson) => ShellyCommand) | undefined;
  /**
   * Members of the status that list errors: with an error the value is none. `errors` if it is left out, and none for what can be set: the
   * device knows what it was set to.
   */
  readonly faults?: readonly string[] | undefined;
  /** What its number or flag means is said by the configuration, such as its unit: while that changes, the value is none. */
  readonly isConfigured?: boolean | undefined;
  /** Another property of its name is avoided by another name, not by another index. */
  readonly apart?: "name" | undefined;
}

/** A device as it is described to the hub; its addresses are those that its components ask for until `placedShelly` gives it its own. */
export interface ShellyDescription {
  readonly edgeId: string;
  /** Its name in the protocol: `shelly2pmg3-aabbccddeeff`. */
  readonly id: string;
  readonly about: DeviceAbout;
  readonly properties: readonly ShellyProperty[];
  /** How often it wakes when it sleeps, ms; undefined for one that does not sleep. */
  readonly wakeupMs?: number | undefined;
  /** Components that are not described, or not in full, by their type: how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** What is described of one component. */
export interface DescribedComponent {
  readonly properties: readonly ShellyProperty[];
  /** Whether it can do more than that. */
  readonly isPartial?: boolean | undefined;
}
