/**
 * The state that batches of hubs' histories are applied to: the position of each history, the device of each name, and
 * the stored value of each property. It is read at once for all batches of a transaction and updated by them, so that
 * batches only decide.
 */
import { addressKey, type DescribedProperty } from "@porchlight/shared/model";
import type { ChangeCause, DevicePlace, StoredValue } from "@porchlight/shared/rest";
import type { ResultRecord, ValueRecord } from "@porchlight/shared/tunnel";
import type { KindSql, Transaction } from "../../store/index.ts";
import { type EpochStanding, type Hub, type RecordBatch, standingsOf } from "../../tunnels/index.ts";
import { type Descriptions, type DeviceByEdge, devicesByEdge, type NamedDevice } from "../device-row.ts";
import type { LearnedValue } from "../value-decision.ts";
import {
  learnValue,
  type NamedProperty,
  type NewValue,
  readNamedValues,
  type ValueStoreDeps,
  writeValues,
} from "../value-store.ts";

/** A batch and its hub. */
export interface HubBatch {
  readonly hub: Hub;
  readonly batch: RecordBatch;
  /** Number of a record that is skipped, because it cannot be applied. */
  readonly passed?: number;
}

/** A property of a device of a hub. */
interface HubProperty {
  readonly place: DevicePlace;
  readonly property: DescribedProperty;
}

export class KnownState {
  readonly #sql: KindSql;
  readonly #descriptions: Descriptions;
  readonly #standings = new Map<string, EpochStanding | undefined>();
  readonly #devices = new Map<string, DeviceByEdge | undefined>();
  readonly #values = new Map<string, StoredValue | undefined>();
  /** The new position of each history. */
  readonly #moved = new Map<string, { readonly hub: Hub; readonly position: number }>();

  constructor(sql: KindSql, descriptions: Descriptions) {
    this.#sql = sql;
    this.#descriptions = descriptions;
  }

  /** Reads all that the batches may need, and the descriptions that are not cached. */
  async read(batches: readonly HubBatch[]): Promise<void> {
    const hubs = byKey(batches, ({ hub }) => standingKey(hub));
    const devices = byKey(batches.flatMap(namedDevices), ({ hub, edge }) => deviceKey(hub, edge));
    const values = byKey(batches.flatMap(namedProperties), valueKey);
    await Promise.all([
      standingsOf(
        this.#sql,
        [...hubs.values()].map(({ hub }) => hub),
      ).then(into(this.#standings, hubs)),
      devicesByEdge(this.#sql, [...devices.values()]).then(into(this.#devices, devices)),
      readNamedValues(this.#sql, [...values.values()]).then(into(this.#values, values)),
    ]);
    const ours = [...devices.values()].flatMap(({ hub, edge }) => {
      const device = this.device(hub, edge);
      return device ? [this.#descriptions.of(this.#sql, hub.ecosystemId, device)] : [];
    });
    await Promise.all(ours);
  }

  /** The number up to which the history is stored; undefined when a newer connection has taken over. */
  position(hub: Hub): number | undefined {
    const key = standingKey(hub);
    return this.#moved.get(key)?.position ?? this.#standings.get(key)?.position;
  }

  moved(hub: Hub, position: number): void {
    this.#moved.set(standingKey(hub), { hub, position });
  }

  /** Positions to be written. */
  get positions() {
    return [...this.#moved.values()].map(({ hub, position }) => {
      return { eco: hub.ecosystemId, client: hub.clientId, position };
    });
  }

  /** The device, if it is this hub's and not deleted. */
  device(hub: Hub, edge: string): DeviceByEdge | undefined {
    const found = this.#devices.get(deviceKey(hub, edge));
    return found?.client_id === hub.clientId && found.gone_at === null ? found : undefined;
  }

  setOnline(hub: Hub, edge: string, device: DeviceByEdge, online: boolean): void {
    this.#devices.set(deviceKey(hub, edge), { ...device, online: online ? 1 : 0 });
  }

  /** Reads the device of a result, which most results do not need. */
  async readDevice(hub: Hub, edge: string): Promise<DeviceByEdge | undefined> {
    const key = deviceKey(hub, edge);
    if (!this.#devices.has(key)) this.#devices.set(key, (await devicesByEdge(this.#sql, [{ hub, edge }]))[0]);
    return this.device(hub, edge);
  }

  /** The property that the record is about; undefined when it is skipped. */
  async property(hub: Hub, record: ValueRecord | ResultRecord): Promise<HubProperty | undefined> {
    const device = await this.readDevice(hub, record.device);
    const described = device && (await this.#descriptions.of(this.#sql, hub.ecosystemId, device));
    const property = described?.byKey.get(addressKey(record));
    const { ecosystemId, environmentId } = hub;
    return device && property && { place: { ecosystemId, environmentId, deviceId: device.id }, property };
  }

  /** Its stored value at the time of reading. */
  async stored(hub: Hub, record: ValueRecord | ResultRecord): Promise<StoredValue | undefined> {
    const named = namedProperty(hub, record);
    const key = valueKey(named);
    if (!this.#values.has(key)) this.#values.set(key, (await readNamedValues(this.#sql, [named]))[0]);
    return this.#values.get(key);
  }
}

/** The devices to read: most results have no effect left, and need no device. */
function namedDevices({ hub, batch }: HubBatch): NamedDevice[] {
  const edges = new Set<string>();
  for (const record of batch.records) if (record.kind !== "result") edges.add(record.device);
  return [...edges].map((edge) => ({ hub, edge }));
}

function namedProperties({ hub, batch }: HubBatch): NamedProperty[] {
  const named = new Map<string, ValueRecord>();
  for (const record of batch.records) if (record.kind === "value") named.set(targetOf(record), record);
  return [...named.values()].map((record) => namedProperty(hub, record));
}

/** The hub's name of the property. */
export function targetOf(record: ValueRecord | ResultRecord): string {
  return `${record.device} ${addressKey(record)}`;
}

function namedProperty(hub: Hub, { device: edge, service, index: idx, property }: ValueRecord | ResultRecord) {
  return { eco: hub.ecosystemId, env: hub.environmentId, edge, service, idx, property };
}

/** Includes the epoch: a superseded connection has another standing than its successor. */
function standingKey({ ecosystemId, clientId, epoch }: Hub): string {
  return `${ecosystemId} ${clientId} ${epoch}`;
}

function deviceKey({ ecosystemId, environmentId }: Hub, edge: string): string {
  return `${ecosystemId} ${environmentId} ${edge}`;
}

function valueKey({ eco, env, edge, service, idx, property }: NamedProperty): string {
  return `${eco} ${env} ${edge} ${service}:${idx}.${property}`;
}

/** Each key once. */
function byKey<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [keyOf(one), one]));
}

function into<T>(
  known: Map<string, T | undefined>,
  asked: ReadonlyMap<string, unknown>,
): (found: readonly (T | undefined)[]) => void {
  return (found) => {
    for (const [at, key] of [...asked.keys()].entries()) known.set(key, found[at]);
  };
}

/** A property in the batches. */
export interface Entry {
  readonly place: DevicePlace;
  readonly property: DescribedProperty;
  /** Its value after all that was learned so far. */
  stored: StoredValue | undefined;
  /** The transaction of the value to be written; undefined when nothing changed. */
  from: Transaction | undefined;
}

/**
 * The values of several batches of hubs' histories, stored together. A property is read once and written once, at the
 * end, with its last value, because a hub that was offline reports the same few properties again and again. Each change
 * is an event nevertheless.
 */
export class ValueBatch {
  readonly #deps: ValueStoreDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: ValueStoreDeps) {
    this.#deps = deps;
  }

  /** The property's entry; undefined when it was not added. */
  entry(place: DevicePlace, property: DescribedProperty): Entry | undefined {
    return this.#entries.get(keyOf(place, property));
  }

  /** Adds a property with its stored value. */
  add(place: DevicePlace, property: DescribedProperty, stored: StoredValue | undefined): Entry {
    const entry: Entry = { place, property, stored, from: undefined };
    this.#entries.set(keyOf(place, property), entry);
    return entry;
  }

  /** Applies one value if its number permits. Nothing is written before {@link write}. */
  learn(tx: Transaction, entry: Entry, learned: LearnedValue, cause: ChangeCause): void {
    const { place, property } = entry;
    const { stored, isNew } = learnValue(tx, this.#deps, place, property, entry.stored, learned, cause);
    if (!isNew) return;
    entry.stored = stored;
    entry.from = tx;
  }

  /** Writes the changes. */
  write(sql: KindSql): void {
    const changed = [...this.#entries.values()].flatMap(({ place, property, stored, from }): NewValue[] =>
      from && stored ? [{ tx: from, place, property, stored }] : [],
    );
    writeValues(sql, this.#deps, changed);
  }
}

function keyOf({ deviceId }: DevicePlace, { key }: DescribedProperty): string {
  return `${deviceId} ${key}`;
}
