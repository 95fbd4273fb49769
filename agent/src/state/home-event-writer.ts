/**
 * Writes the hub's changes to the log at home, in the transaction of their cause: changes of properties, and of devices. A device
 * that the cloud has not named is unknown at home and gets no events; once it is named, it is added, with all its last values.
 */

import type { Device } from "@porchlight/shared/api";
import { type Clock, formatTime, type IdMaker } from "@porchlight/shared/kernel";
import { findProperty, type Value } from "@porchlight/shared/model";
import {
  type ChangeCause,
  DEFAULT_META_PREFIX,
  type DevicePlace,
  eventText,
  type StoredValue as ItemValue,
  propertyText,
  showMeta,
} from "@porchlight/shared/rest";
import type { DeviceName } from "@porchlight/shared/tunnel";
import type { HomeLog } from "./home-log.ts";
import type { DeviceNames, HomePlace } from "./rows/device-names.ts";
import type { Devices, PropertyTarget, StoredDevice } from "./rows/devices.ts";
import type { HubRow } from "./rows/hub-row.ts";
import type { StoredValue, Values } from "./rows/values.ts";

export interface HomeEventWriterDeps {
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: HomeLog;
  readonly names: DeviceNames;
  readonly hub: HubRow;
  readonly devices: Devices;
  readonly values: Values;
  /** The hub's own edgeId. */
  readonly edgeId: string;
}

type HomeDeviceEvent = "device.added" | "device.updated" | "device.removed" | "device.online" | "device.offline";

export class HomeEventWriter {
  readonly #deps: HomeEventWriterDeps;

  constructor(deps: HomeEventWriterDeps) {
    this.#deps = deps;
  }

  /** Continues the log, unless the hub's history has a new name. */
  goOn(): void {
    this.#deps.log.goOn(this.#deps.hub.logId);
  }

  /** Begins a new log: the hub's history, or its home, has changed. */
  beginAnew(): void {
    this.#deps.log.beginAnew(this.#deps.hub.logId);
  }

  /**
   * A property has changed, or a notify-only property has reported; the value is stored already.
   * @param previous left out where there was none
   */
  changed(target: PropertyTarget, previous: { readonly value: Value } | undefined, cause: ChangeCause): void {
    const { names, devices, values } = this.#deps;
    const name = names.get(target.device);
    const device = devices.get(target.device);
    const stored = values.get(target);
    if (!name || !names.place || !device || !stored || !findProperty(device.description, target)) return;
    const item = homeItem(names.place, name.id, stored);
    const before = previous ? `,"previousValue":${JSON.stringify(previous.value)}` : "";
    const change = `{"item":${propertyText(item.place, target, item.stored)}${before},"cause":${JSON.stringify(cause)}}`;
    this.#append("property.changed", change);
  }

  /** Writes an event of a device that is on the hub. */
  device(type: HomeDeviceEvent, edgeId: string): void {
    const name = this.#deps.names.get(edgeId);
    if (name) this.#tell(type, name);
  }

  /** Writes the device's addition, with all its last values, once it is both on the hub and named. */
  added(edgeId: string): void {
    const { devices, values } = this.#deps;
    if (!devices.get(edgeId)) return;
    this.device("device.added", edgeId);
    for (const value of values.all())
      if (value.device === edgeId && !value.event) this.changed(value, undefined, { kind: "device" });
  }

  /** The cloud no longer knows the device, or has changed its ID. @param name its last known name */
  unnamed(name: DeviceName): void {
    this.#tell("device.removed", name);
  }

  #tell(type: HomeDeviceEvent, name: DeviceName): void {
    const { names, devices, edgeId: hub } = this.#deps;
    const stored = devices.get(name.edgeId);
    if (!stored || !names.place) return;
    const shown = { name, stored, connection: this.#connection(stored), hub };
    this.#append(type, JSON.stringify(homeDevice(names.place, shown, DEFAULT_META_PREFIX)));
  }

  /** The connection of a device. One that was online when the agent last ran, and has not reconnected yet, is `unknown`. */
  #connection({ edgeId, online }: StoredDevice): "online" | "offline" | "unknown" {
    if (!online) return "offline";
    return this.#deps.devices.isHere(edgeId) ? "online" : "unknown";
  }

  #append(type: string, data: string): void {
    const { clock, ids, log, names } = this.#deps;
    const { ecosystemId = "", environmentId } = names.place ?? {};
    const head = { id: ids.next("evt"), type, createdAt: clock.now(), ecosystemId, environmentId };
    log.append(type, (sequence) => eventText({ ...head, sequence }, data));
  }
}

/** The hub's devices in the terms of the API: one place, so that reads and events at home agree. */
interface ShownDevice {
  readonly name: DeviceName;
  readonly stored: StoredDevice;
  readonly connection: "online" | "offline" | "unknown";
  /** edgeId of the hub. */
  readonly hub: string;
}

/** @param place undefined until the cloud has sent it @param prefix of system metadata */
export function homeDevice(place: HomePlace | undefined, shown: ShownDevice, prefix: string): Device {
  const { name, stored, connection, hub } = shown;
  const { ecosystemId = "", environmentId = "", clientId = "" } = place ?? {};
  return {
    id: name.id,
    ecosystemId,
    environmentId,
    type: "physical",
    edgeId: stored.edgeId,
    ...(name.alias !== undefined && { alias: name.alias }),
    meta: showMeta(name.meta, prefix, { ...stored.about, hub }),
    createdAt: formatTime(name.createdAt),
    clientId,
    connection: { state: connection, since: formatTime(stored.since) },
  };
}

/** The place of a device and the value of one of its properties: the parts of an item. */
export function homeItem(
  { ecosystemId, environmentId }: HomePlace,
  deviceId: string,
  { value, number, modifiedAt, observedAt }: StoredValue,
): { readonly place: DevicePlace; readonly stored: ItemValue } {
  const place = { ecosystemId, environmentId, deviceId };
  return { place, stored: { value: JSON.stringify(value), number, modifiedAt, observedAt } };
}
