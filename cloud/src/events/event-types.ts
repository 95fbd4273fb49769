/** What the `data` of each type of event is (A6): what is appended in a write job is made here. */
import type {
  Alert,
  AlertTest,
  Client,
  CommandTold,
  Device,
  Environment,
  PropertyItem,
  Scene,
  SceneCalled,
  User,
  Webhook,
  Zone,
} from "@porchlight/shared/api";
import type { EventPrefix, EventType, EventTypeOf } from "@porchlight/shared/events";
import type { PropertyAddress, Value } from "@porchlight/shared/model";
import { type ChangeCause, type DevicePlace, propertyText, type StoredValue } from "@porchlight/shared/rest";
import type { NewEvent } from "../store/index.ts";

export interface PropertyChange {
  readonly item: PropertyItem;
  readonly previousValue?: Value | undefined;
  readonly cause: ChangeCause;
}

/** What the events of a prefix tell: the resource as it is answered under the prefix `$.`, of a deleted one as it was. */
interface DataOf {
  property: PropertyChange;
  device: Device;
  hub: Client;
  command: CommandTold;
  zone: Zone;
  scene: Scene | SceneCalled;
  environment: Environment;
  user: User;
  webhook: Webhook;
  alert: Alert | AlertTest;
}

/** Type and data. */
export type EventData = { [P in EventPrefix as EventTypeOf<P>]: DataOf[P] };

/** An event, to be appended to the job that makes it true. @param environmentId undefined for what stands in the ecosystem */
export function event<T extends EventType>(type: T, environmentId: string | undefined, data: EventData[T]): NewEvent {
  return { type, environmentId, data };
}

/** `property.changed`, as JSON of values that are stored as JSON: there is one for each report and each write. */
export function propertyChanged(
  place: DevicePlace,
  address: PropertyAddress,
  change: { readonly stored: StoredValue; readonly previous: StoredValue | undefined; readonly cause: ChangeCause },
): NewEvent {
  const { stored, previous, cause } = change;
  const before = previous === undefined ? "" : `,"previousValue":${previous.value}`;
  const text = `{"item":${propertyText(place, address, stored)}${before},"cause":${JSON.stringify(cause)}}`;
  return { type: "property.changed", environmentId: place.environmentId, text };
}
