/**
 * The state at a sequence: the items of every living device, advanced event by event. It is the fold that a consumer of
 * the log makes, so that a snapshot read in slices, while the log continues, can be advanced to a single moment.
 */
import { device, propertyItem } from "@porchlight/shared/api";
import { z } from "zod";
import type { LoggedEvent } from "../events/index.ts";

interface KnownDevice {
  readonly environmentId: string;
  /** The hub it lives on; null for a virtual device. */
  clientId: string | null;
  /** By service, index and property: the item as JSON. */
  readonly items: Map<string, string>;
}

// Parses only what the fold uses: the rest of an item is sent as it was stored.
const changed = z.object({
  item: propertyItem.pick({ deviceId: true, service: true, index: true, property: true, value: true }).loose(),
});
const deviceData = device.pick({ id: true, environmentId: true, clientId: true });
const goneObject = z.object({ id: z.string() });

export class SnapshotProjection {
  readonly #devices = new Map<string, KnownDevice>();
  /** Devices whose set of properties may have changed, which no event reports one by one. */
  readonly redescribed = new Set<string>();

  putDevice(id: string, environmentId: string, clientId: string | null): void {
    const known = this.#devices.get(id);
    if (known) known.clientId = clientId;
    else this.#devices.set(id, { environmentId, clientId, items: new Map() });
  }

  /** @param text JSON of the item */
  putItem(deviceId: string, key: string, text: string): void {
    this.#devices.get(deviceId)?.items.set(key, text);
  }

  /** Deletes the items of properties that the device no longer has. */
  keepItems(deviceId: string, keys: ReadonlySet<string>): void {
    const items = this.#devices.get(deviceId)?.items;
    for (const key of items?.keys() ?? []) if (!keys.has(key)) items?.delete(key);
  }

  /** Applies the next event. */
  apply({ type, data }: Pick<LoggedEvent, "type" | "data">): void {
    switch (type) {
      case "property.changed":
        this.#change(changed.parse(JSON.parse(data)).item);
        break;
      case "device.added":
      case "device.updated": {
        const { id, environmentId, clientId } = deviceData.parse(JSON.parse(data));
        this.putDevice(id, environmentId, clientId ?? null);
        this.redescribed.add(id);
        break;
      }
      case "device.removed":
        this.#devices.delete(goneObject.parse(JSON.parse(data)).id);
        break;
      case "hub.removed": {
        const { id } = goneObject.parse(JSON.parse(data));
        this.#drop((known) => known.clientId === id);
        break;
      }
      case "environment.deleted": {
        const { id } = goneObject.parse(JSON.parse(data));
        this.#drop((known) => known.environmentId === id);
      }
    }
  }

  /** JSON of every item. */
  *items(): Generator<string> {
    for (const { items } of this.#devices.values()) yield* items.values();
  }

  #change(item: z.output<typeof changed>["item"]): void {
    const items = this.#devices.get(item.deviceId)?.items;
    const key = itemKey(item);
    if (item.value === null) items?.delete(key);
    else items?.set(key, JSON.stringify(item));
  }

  #drop(isGone: (known: KnownDevice) => boolean): void {
    for (const [id, known] of this.#devices) if (isGone(known)) this.#devices.delete(id);
  }
}

function itemKey(item: { readonly service: string; readonly index: string; readonly property: string }): string {
  return `${item.service}:${item.index}.${item.property}`;
}
