/** The devices of one environment and their current values in memory, indexed for the most frequent query: a selector over all devices. */
import type { PropertyItem } from "@porchlight/shared/api";
import { addressKey, type Described, type DescribedProperty, type Selector } from "@porchlight/shared/model";
import { type DevicePlace, NO_VALUE, propertyItem, propertyText, type StoredValue } from "@porchlight/shared/rest";

/** The part of a device that the hot paths need. */
export interface CachedDevice {
  readonly id: string;
  /** The hub it lives on; null for a virtual device. */
  readonly clientId: string | null;
  readonly edgeId: string | null;
  readonly described: Described;
}

/** One property that a selector matches. */
export interface Selected {
  readonly device: CachedDevice;
  readonly property: DescribedProperty;
}

interface Value {
  readonly stored: StoredValue;
  /** JSON of the item, made at its first use; "" while there is no value. */
  text: string | undefined;
}

export class EnvironmentState {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly #devices = new Map<string, CachedDevice>();
  readonly #values = new Map<string, Map<string, Value>>();
  /** The devices of each class, in the order of their IDs; rebuilt when devices change. */
  #byService: Map<string, CachedDevice[]> | undefined;
  #valueCount = 0;
  readonly #lists = new KeptLists();

  constructor(ecosystemId: string, environmentId: string) {
    this.ecosystemId = ecosystemId;
    this.environmentId = environmentId;
  }

  /** Its memory cost: devices and values. */
  get weight(): number {
    return 1 + this.#devices.size + this.#valueCount;
  }

  device(id: string): CachedDevice | undefined {
    return this.#devices.get(id);
  }

  /** In the order of their IDs. */
  devices(): readonly CachedDevice[] {
    return [...this.#devices.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  putDevice(device: CachedDevice): void {
    this.#devices.set(device.id, device);
    this.#byService = undefined;
    this.#lists.forget();
    const values = this.#values.get(device.id);
    if (!values) return;
    for (const key of values.keys()) {
      if (!device.described.byKey.has(key) && values.delete(key)) this.#valueCount -= 1;
    }
  }

  dropDevice(id: string): void {
    if (!this.#devices.delete(id)) return;
    this.#valueCount -= this.#values.get(id)?.size ?? 0;
    this.#values.delete(id);
    this.#byService = undefined;
    this.#lists.forget();
  }

  putValue(deviceId: string, key: string, stored: StoredValue): void {
    let values = this.#values.get(deviceId);
    if (!values) {
      values = new Map();
      this.#values.set(deviceId, values);
    }
    if (!values.has(key)) this.#valueCount += 1;
    values.set(key, { stored, text: undefined });
    this.#lists.forget();
  }

  stored(deviceId: string, key: string): StoredValue | undefined {
    return this.#values.get(deviceId)?.get(key)?.stored;
  }

  /** The item of a property, or undefined while it has no value. */
  item(deviceId: string, property: DescribedProperty): PropertyItem | undefined {
    const stored = this.stored(deviceId, property.key);
    if (!stored || stored.value === NO_VALUE) return undefined;
    return propertyItem(this.#place(deviceId), property, stored);
  }

  /** The item as JSON, which is cached: writing a large answer is then copying. */
  text(deviceId: string, property: DescribedProperty): string | undefined {
    const value = this.#values.get(deviceId)?.get(property.key);
    if (!value) return undefined;
    value.text ??= value.stored.value === NO_VALUE ? "" : propertyText(this.#place(deviceId), property, value.stored);
    return value.text || undefined;
  }

  /** The cached result of a selector over all devices; undefined after any change. */
  keptList(selectorText: string): KeptList | undefined {
    return this.#lists.get(selectorText);
  }

  keepList(selectorText: string, list: KeptList): void {
    this.#lists.keep(selectorText, list, this.weight);
  }

  /** Every property that a selector matches, on all devices or on those with these IDs. */
  select(selector: Selector, among?: readonly string[]): Selected[] {
    const selected: Selected[] = [];
    for (const device of this.#having(selector.service, among)) {
      for (const property of device.described.byService.get(selector.service) ?? []) {
        if (means(selector, property)) selected.push({ device, property });
      }
    }
    return selected;
  }

  /** Whether any device has the service instance that a selector names, regardless of the property. */
  hasService({ service, index }: Selector, among?: readonly string[]): boolean {
    return this.select({ service, index }, among).length > 0;
  }

  #having(service: string, among: readonly string[] | undefined): readonly CachedDevice[] {
    if (among) return among.flatMap((id) => this.#devices.get(id) ?? []);
    this.#byService ??= this.#arrange();
    return this.#byService.get(service) ?? [];
  }

  #arrange(): Map<string, CachedDevice[]> {
    const byService = new Map<string, CachedDevice[]>();
    for (const device of this.devices()) {
      for (const service of device.described.byService.keys()) {
        const having = byService.get(service);
        if (having) having.push(device);
        else byService.set(service, [device]);
      }
    }
    return byService;
  }

  #place(deviceId: string): DevicePlace {
    return { ecosystemId: this.ecosystemId, environmentId: this.environmentId, deviceId };
  }
}

function means({ index, property }: Selector, of: DescribedProperty): boolean {
  return (index === undefined || index === of.index) && (property === undefined || property === of.property);
}

/** The key of a stored row. */
export function rowKey(row: { readonly service: string; readonly idx: string; readonly property: string }): string {
  return addressKey({ service: row.service, index: row.idx, property: row.property });
}

/** The items of an answer that is sent as one text. */
interface KeptList {
  /** Number of matching properties; those without a value are no items. */
  readonly size: number;
  /** JSON of the items, separated by commas. */
  readonly text: string;
}

/** Budget of characters for each device and value: about the length of their own items. */
const LENGTH_EACH = 300;
/** Cost of an entry besides its texts, characters. */
const LENGTH_OF_ENTRY = 100;

/**
 * The results of selectors in an environment, as JSON, until anything in it changes: watched pages repeat the same
 * request again and again. It bounds its own size.
 */
export class KeptLists {
  readonly #lists = new Map<string, KeptList>();
  #length = 0;

  /** @param selector its text */
  get(selector: string): KeptList | undefined {
    return this.#lists.get(selector);
  }

  /** @param weight devices and values of the environment; a list too long for it is not cached */
  keep(selector: string, list: KeptList, weight: number): void {
    const length = selector.length + list.text.length + LENGTH_OF_ENTRY;
    const most = weight * LENGTH_EACH;
    if (length > most) return;
    if (this.#length + length > most) this.forget();
    this.#lists.set(selector, list);
    this.#length += length;
  }

  /** Drops all lists after a change. */
  forget(): void {
    if (this.#lists.size === 0) return;
    this.#lists.clear();
    this.#length = 0;
  }
}
