/** Every type of event, and what its `data` is (contract 6): what is appended in a write job is made here. */
import type { Client, Environment, User } from "@porchlight/shared/api";
import type { Value } from "@porchlight/shared/model";
import type { NewEvent } from "../store/index.ts";

/** What made a property change. */
export type Cause =
  | { readonly kind: "command"; readonly commandId: string; readonly tokenId?: string | undefined }
  | { readonly kind: "device" }
  | { readonly kind: "refresh" };

export interface PropertyChange<Item> {
  readonly item: Item;
  readonly previousValue?: Value | undefined;
  readonly cause: Cause;
}

/** Type and data, for what is described in `shared/api` elsewhere than here: the resource as it is answered under `$.`. */
export interface EventData {
  "property.changed": PropertyChange<object>;
  "device.added": object;
  "device.updated": object;
  "device.removed": object;
  "device.online": object;
  "device.offline": object;
  "device.claimed": object;
  "hub.added": Client;
  "hub.updated": Client;
  "hub.removed": Client;
  "hub.online": Client;
  "hub.offline": Client;
  "hub.duplicate": Client;
  "zone.created": object;
  "zone.updated": object;
  "zone.deleted": object;
  "environment.created": Environment;
  "environment.updated": Environment;
  "environment.deleted": Environment;
  "user.created": User;
  "user.updated": User;
  "user.deleted": User;
  "command.completed": object;
}

export type EventType = keyof EventData;

/** An event, to be appended to the job that makes it true. @param environmentId undefined for what stands in the ecosystem */
export function event<T extends EventType>(type: T, environmentId: string | undefined, data: EventData[T]): NewEvent {
  return { type, environmentId, data };
}
