/** The model of a live view: devices, their states, and the newest value of each property. It depends on neither terminal nor network. */
import type { StreamItem } from "@porchlight/sdk";
import type { Device, PropertyItem } from "@porchlight/shared/api";
import { standardProperty } from "@porchlight/shared/model";
import { nameOf } from "@porchlight/shared/names";
import { nameOf as propertyNameOf, withUnit } from "../session/property.ts";

/** State of a device; a virtual device has no connection and is always available. */
export type DeviceState = "online" | "offline" | "unknown" | "virtual";

export interface BoardRow {
  readonly deviceId: string;
  readonly device: string;
  readonly state: DeviceState;
  /** `LightColor.hue`. */
  readonly property: string;
  /** Value with its unit. */
  readonly value: string;
  /** When the value last changed, as the API writes times. */
  /** Undefined when it is not known. */
  readonly modifiedAt: string | undefined;
  /** When this view received a change, ms of a monotonic clock; undefined for a value from the start. */
  readonly changedAt: number | undefined;
}

interface Value {
  readonly item: PropertyItem;
  readonly changedAt: number | undefined;
}

export class Board {
  readonly #deviceId: string | undefined;
  #devices = new Map<string, Device>();
  readonly #values = new Map<string, Value>();
  #rows: readonly BoardRow[] | undefined;

  /** @param deviceId the only device to show; all when omitted */
  constructor(deviceId?: string) {
    this.#deviceId = deviceId;
  }

  /** Number of devices. */
  get devices(): number {
    return this.#devices.size;
  }

  /** Whether the state of some device is unknown. */
  get hasUnknown(): boolean {
    return [...this.#devices.values()].some(({ connection }) => connection?.state === "unknown");
  }

  /** Replaces all devices and their states. */
  setDevices(devices: readonly Device[]): void {
    this.#devices = new Map(devices.filter(({ id }) => this.#isOfInterest(id)).map((device) => [device.id, device]));
    for (const [key, { item }] of this.#values) if (!this.#devices.has(item.deviceId)) this.#values.delete(key);
    this.#rows = undefined;
  }

  /**
   * Applies an item of the stream.
   * @param now ms of a monotonic clock
   * @returns whether to read the devices again: when a hub goes online or offline, the states of its devices change without an event
   * for each
   */
  take(received: StreamItem, now: number): boolean {
    this.#rows = undefined;
    if (received.kind === "reset") return true;
    if (received.kind === "snapshot") {
      this.#values.clear();
      for (const item of received.items) this.#put(item, undefined);
      return false;
    }
    const { event } = received;
    switch (event.type) {
      case "property.changed":
        this.#put(event.data.item, now);
        return !this.#devices.has(event.data.item.deviceId) && this.#isOfInterest(event.data.item.deviceId);
      case "device.removed":
        this.#forget(event.data.id);
        return false;
      case "device.added":
      case "device.updated":
      case "device.online":
      case "device.offline":
        if (this.#isOfInterest(event.data.id)) this.#devices.set(event.data.id, event.data);
        return false;
      default:
        return event.type.startsWith("hub.");
    }
  }

  /** One row for each property, sorted by the names of devices and properties. */
  get rows(): readonly BoardRow[] {
    this.#rows ??= [...this.#values.values()].map((value) => this.#row(value)).sort(byName);
    return this.#rows;
  }

  #row({ item, changedAt }: Value): BoardRow {
    const { deviceId, service, property, modifiedAt, value } = item;
    const device = this.#devices.get(deviceId);
    return {
      ...{ deviceId, modifiedAt, changedAt },
      device: device ? nameOf(device) : deviceId,
      state: device?.type === "virtual" ? "virtual" : (device?.connection?.state ?? "unknown"),
      property: propertyNameOf(item),
      value: withUnit(value, unitOf(service, property)),
    };
  }

  #put(item: PropertyItem, changedAt: number | undefined): void {
    if (!this.#isOfInterest(item.deviceId)) return;
    this.#values.set(`${item.deviceId} ${propertyNameOf(item)}`, { item, changedAt });
  }

  #forget(deviceId: string): void {
    this.#devices.delete(deviceId);
    for (const [key, { item }] of this.#values) if (item.deviceId === deviceId) this.#values.delete(key);
  }

  #isOfInterest(deviceId: string): boolean {
    return this.#deviceId === undefined || this.#deviceId === deviceId;
  }
}

/** Unit of a standard property; a device's own property is shown without one. */
function unitOf(service: string, property: string): string | undefined {
  return standardProperty(service, property)?.unit;
}

function byName(one: BoardRow, other: BoardRow): number {
  return (
    compared(one.device, other.device) ||
    compared(one.deviceId, other.deviceId) ||
    compared(one.property, other.property)
  );
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
