/** A device behind a bridge in terms of the bridge's API: what it is, which resource says each property, and what is sent to set one. */
import type { Read } from "@porchlight/driver-kit";
import type { DeviceAbout, PropertyAddress, PropertyDescription, Value } from "@porchlight/shared/model";
import type { Reference, Resource } from "../resources/resource.ts";

/** A `PUT` that sets a property. */
export interface Setting {
  readonly body: object;
  /** The resource that takes it; left out where it is the one that says the value. */
  readonly to?: Reference | undefined;
  /** Whether that resource says that it has been done; left out where the value is what says it. */
  readonly isDone?: ((resource: Resource) => boolean | undefined) | undefined;
}

export interface HueProperty {
  readonly address: PropertyAddress;
  readonly description: PropertyDescription;
  /** The resource that says its value. */
  readonly of: Reference;
  /**
   * The value that a resource says; undefined when it says nothing of it, `null` when it says that there is none. Of a property that only
   * notifies, the fields that have changed are handed in; of every other one, the whole resource.
   */
  readonly read: (resource: Resource) => Read<Value>;
  /** Whether an update of the resource says anything of the value; left out of a property that only notifies. */
  readonly says?: ((update: Resource) => boolean) | undefined;
  /** Left out where it cannot be set. @throws Error when it cannot be set now, for people */
  readonly set?: ((value: Value, now: Resource) => Setting) | undefined;
  /** How far a number may be from the one that was set and still confirm it. */
  readonly tolerance?: number | undefined;
}

export interface HueDevice {
  readonly edgeId: string;
  /** What the bridge calls it for ever, where its edgeId is not its own: it is kept with the edgeId that it was first told under. */
  readonly identity?: string | undefined;
  readonly about: DeviceAbout;
  readonly properties: readonly HueProperty[];
  /** The resource that says whether it can be reached; left out: whenever the bridge can. */
  readonly connectivity?: string | undefined;
  /** The device, where the bridge can make it show itself. */
  readonly identify?: Reference | undefined;
  /** Types of services of it, and parts of lamps, that are left aside, each with how many. */
  readonly leftAside: Readonly<Record<string, number>>;
}

/** Whether the bridge can reach a device, by its resource `zigbee_connectivity`. */
export function isReached(connectivity: Resource | undefined): boolean {
  // A device that only sends, such as a switch without a battery, is there as much as it ever is.
  return connectivity === undefined || ["connected", "unidirectional_incoming"].includes(String(connectivity.status));
}
