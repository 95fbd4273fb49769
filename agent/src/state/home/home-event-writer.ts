/**
 * What the log at home tells of the hub's history, in the transaction of what it tells: changes of properties, and what becomes of
 * devices. A device that the cloud has not named is unknown at home, so nothing is told of it; when it is named, it is added,
 * with all that it last said.
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
import type { DeviceNames, HomePlace } from "../rows/device-names.ts";
import type { Devices, PropertyTarget, StoredDevice } from "../rows/devices.ts";
import type { HubRow } from "../rows/hub-row.ts";
import type { StoredValue, Values } from "../rows/values.ts";
import type { HomeLog } from "./home-log.ts";

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

  /** The log goes on where it was, unless the hub's history has another name by now. */
  goOn(): void {
    this.#deps.log.goOn(this.#deps.hub.logId);
  }

  /** The hub's history, or its home, is another. */
  beginAnew(): void {
    this.#deps.log.beginAnew(this.#deps.hub.logId);
  }

  /**
   * A property has another value than before, or a notify-only one has told something; the value is stored already.
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

  /** Something has become of a device that is on the hub. */
  device(type: HomeDeviceEvent, edgeId: string): void {
    const name = this.#deps.names.get(edgeId);
    if (name) this.#tell(type, name);
  }

  /** A device is on the hub and has a name, the later of the two just now: it is told with all that it has said until then. */
  added(edgeId: string): void {
    const { devices, values } = this.#deps;
    if (!devices.get(edgeId)) return;
    this.device("device.added", edgeId);
    for (const value of values.all())
      if (value.device === edgeId && !value.event) this.changed(value, undefined, { kind: "device" });
  }

  /** The cloud knows the device no more, or by another ID. @param name what it was called, which is known still */
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

  /** What was there when the agent last ran, and has not come back yet, may be there. */
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

/** The hub's devices in the words of the API: one place, because what is read at home and what is told there is the same. */
interface ShownDevice {
  readonly name: DeviceName;
  readonly stored: StoredDevice;
  readonly connection: "online" | "offline" | "unknown";
  /** edgeId of the hub. */
  readonly hub: string;
}

/** @param place undefined before the cloud has told it @param prefix of system metadata */
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

/** Where a device is, and what one of its properties is: of what an item is made. */
export function homeItem(
  { ecosystemId, environmentId }: HomePlace,
  deviceId: string,
  { value, number, modifiedAt, observedAt }: StoredValue,
): { readonly place: DevicePlace; readonly stored: ItemValue } {
  const place = { ecosystemId, environmentId, deviceId };
  return { place, stored: { value: JSON.stringify(value), number, modifiedAt, observedAt } };
}
