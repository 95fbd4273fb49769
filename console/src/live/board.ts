/** What a live view knows: devices, how they stand, and the newest value of each property. No terminal and no network in it. */
import type { StreamItem } from "@porchlight/sdk";
import type { Device, PropertyItem } from "@porchlight/shared/api";
import { standardProperty } from "@porchlight/shared/model";
import { nameOf } from "@porchlight/shared/names";
import { nameOf as propertyNameOf, withUnit } from "../session/property.ts";

/** How a device stands; virtual devices have no connection and are always there. */
export type DeviceState = "online" | "offline" | "unknown" | "virtual";

export interface BoardRow {
  readonly deviceId: string;
  readonly device: string;
  readonly state: DeviceState;
  /** `LightColor.hue`. */
  readonly property: string;
  /** With its unit. */
  readonly value: string;
  /** When the value last changed, as the API writes times. */
  /** Undefined when it is not known. */
  readonly modifiedAt: string | undefined;
  /** When this view was told of a change, ms of a clock that only moves forward; undefined for what was there at its beginning. */
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

  /** @param deviceId of the only device that is of interest; all when left out */
  constructor(deviceId?: string) {
    this.#deviceId = deviceId;
  }

  /** How many devices there are. */
  get devices(): number {
    return this.#devices.size;
  }

  /** Whether it is not known of some device how it stands. */
  get hasUnknown(): boolean {
    return [...this.#devices.values()].some(({ connection }) => connection?.state === "unknown");
  }

  /** The devices as they are now, which takes the place of all that was known of them. */
  setDevices(devices: readonly Device[]): void {
    this.#devices = new Map(devices.filter(({ id }) => this.#isOfInterest(id)).map((device) => [device.id, device]));
    for (const [key, { item }] of this.#values) if (!this.#devices.has(item.deviceId)) this.#values.delete(key);
    this.#rows = undefined;
  }

  /**
   * Takes in what the stream tells.
   * @param now ms of a clock that only moves forward
   * @returns whether the devices must be read again: a hub's going or coming changes how they stand without a word of each
   */
  take(told: StreamItem, now: number): boolean {
    this.#rows = undefined;
    if (told.kind === "reset") return true;
    if (told.kind === "snapshot") {
      this.#values.clear();
      for (const item of told.items) this.#put(item, undefined);
      return false;
    }
    const { event } = told;
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

  /** One row a property, by the names of devices and properties. */
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

/** Of a standard class; what a device describes itself is shown bare. */
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
