/** Every type of event, and what its `data` is (A6): what is appended in a write job is made here. */
import type { Client, Command, Device, Environment, PropertyItem, User, Webhook, Zone } from "@porchlight/shared/api";
import type { Value } from "@porchlight/shared/model";
import type { ChangeCause } from "@porchlight/shared/rest";
import type { NewEvent } from "../store/index.ts";

export interface PropertyChange {
  readonly item: PropertyItem;
  readonly previousValue?: Value | undefined;
  readonly cause: ChangeCause;
}

/** Type and data: the resource as it is answered under the prefix `$.`, of a deleted one as it was. */
export interface EventData {
  "property.changed": PropertyChange;
  "device.added": Device;
  "device.updated": Device;
  "device.removed": Device;
  "device.online": Device;
  "device.offline": Device;
  "device.claimed": Device;
  "hub.added": Client;
  "hub.updated": Client;
  "hub.removed": Client;
  "hub.online": Client;
  "hub.offline": Client;
  "hub.duplicate": Client;
  "zone.created": Zone;
  "zone.updated": Zone;
  "zone.deleted": Zone;
  "environment.created": Environment;
  "environment.updated": Environment;
  "environment.deleted": Environment;
  "user.created": User;
  "user.updated": User;
  "user.deleted": User;
  "command.completed": Command;
  "webhook.disabled": Webhook;
  "webhook.test": Webhook;
}

export type EventType = keyof EventData;

/** An event, to be appended to the job that makes it true. @param environmentId undefined for what stands in the ecosystem */
export function event<T extends EventType>(type: T, environmentId: string | undefined, data: EventData[T]): NewEvent {
  return { type, environmentId, data };
}
