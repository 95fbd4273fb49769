/** The `data` of each type of event (A6), and the constructors of the events that write jobs append. */
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

/** Data of the events with each prefix: the resource as answers have it under the prefix `$.`; of a deleted object, its last state. */
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

/** The data by type of event. */
export type EventData = { [P in EventPrefix as EventTypeOf<P>]: DataOf[P] };

/** An event, to be appended in the job that makes the change. @param environmentId undefined for an object directly in the ecosystem */
export function event<T extends EventType>(type: T, environmentId: string | undefined, data: EventData[T]): NewEvent {
  return { type, environmentId, data };
}

/** `property.changed`, built as JSON from values stored as JSON, because there is one for each report and each write. */
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
