/**
 * Environments in memory, so that a cached read and the check of a write need no database access.
 *
 * Invariants: a change is applied only after its commit; a change committed while an environment is being loaded is
 * applied on top of the loaded rows; the size is bounded, and the least recently used environment is dropped first.
 */
import { nextTurn } from "@porchlight/shared/kernel";
import type { Described } from "@porchlight/shared/model";
import type { DevicePlace, StoredValue } from "@porchlight/shared/rest";
import { NO_OTHERS, type Others } from "../nodes/index.ts";
import { type Sql, type Store, statement } from "../store/index.ts";
import { parseDescription } from "./device-row.ts";
import { type CachedDevice, EnvironmentState, rowKey } from "./environment-state.ts";
import { storedValue, type ValueListener } from "./value-store.ts";

/** Maximum devices of one slice. */
const MOST_DEVICES = 500;
/** A slice of values ends with the device that fills it. */
const MOST_VALUES = 1000;

type Slice = { eco: string; env: string; after: string };
const selectDevices = statement<Slice>("environment_devices")((db, p) =>
  db
    .selectFrom("objects as o")
    .innerJoin("devices as d", (join) => join.onRef("d.ecosystem_id", "=", "o.ecosystem_id").onRef("d.id", "=", "o.id"))
    .leftJoin("objects as h", (join) =>
      join.onRef("h.ecosystem_id", "=", "d.ecosystem_id").onRef("h.id", "=", "d.client_id"),
    )
    .select(["d.id", "d.client_id", "d.edge_id", "d.description"])
    .where("o.ecosystem_id", "=", p.eco)
    .where("o.environment_id", "=", p.env)
    .where("o.kind", "=", "dev")
    .where("o.id", ">", p.after)
    .where("o.gone_at", "is", null)
    .where("h.gone_at", "is", null)
    .orderBy("o.id")
    .limit(MOST_DEVICES),
);
const selectValues = statement<{ eco: string; env: string; first: string; last: string }>("environment_values")(
  (db, p) =>
    db
      .selectFrom("property_values")
      .select(["device_id", "service", "idx", "property", "value", "number", "modified_at", "observed_at"])
      .where("ecosystem_id", "=", p.eco)
      .where("environment_id", "=", p.env)
      .where("device_id", ">=", p.first)
      .where("device_id", "<=", p.last),
);

/**
 * Loads an environment into memory in slices, with other work in between: a large one has a hundred thousand rows.
 *
 * Changes committed meanwhile may be missing; the cache applies them on top.
 */
async function readEnvironment(sql: Sql, eco: string, env: string): Promise<EnvironmentState> {
  const state = new EnvironmentState(eco, env);
  // Most devices are of a few kinds: equal devices share one description.
  const kinds = new Map<string, Described>();
  for (let after = ""; ; await nextTurn()) {
    const rows = await sql.all(selectDevices, { eco, env, after });
    let devices: string[] = [];
    let expected = 0;
    for (const row of rows) {
      const described = kinds.get(row.description) ?? parseDescription(row.description);
      kinds.set(row.description, described);
      state.putDevice({ id: row.id, clientId: row.client_id, edgeId: row.edge_id, described });
      devices.push(row.id);
      expected += described.byKey.size;
      if (expected < MOST_VALUES) continue;
      await readValues(sql, state, devices);
      await nextTurn();
      devices = [];
      expected = 0;
    }
    await readValues(sql, state, devices);
    const last = rows.at(-1);
    if (!last || rows.length < MOST_DEVICES) return state;
    after = last.id;
  }
}

/** @param devices a contiguous range in the order of their IDs */
async function readValues(sql: Sql, state: EnvironmentState, devices: readonly string[]): Promise<void> {
  const [first] = devices;
  const last = devices.at(-1);
  if (first === undefined || last === undefined) return;
  const at = { eco: state.ecosystemId, env: state.environmentId, first, last };
  for (const row of await sql.all(selectValues, at)) {
    if (state.device(row.device_id)?.described.byKey.has(rowKey(row)))
      state.putValue(row.device_id, rowKey(row), storedValue(row));
  }
}

/** A committed change. */
type Change = (state: EnvironmentState) => void;

interface Loading {
  readonly state: Promise<EnvironmentState>;
  readonly changes: Change[];
  /** The rows may be from before a change that cannot be applied on top: they are loaded again. */
  stale: boolean;
}

/** Maximum devices and values in memory; about 300 bytes each, and up to twice as much again for those that were read. */
const LIMIT = 400_000;

export class EnvironmentCache implements ValueListener {
  readonly #store: Store;
  readonly #others: Others;
  readonly #limit: number;
  /** Ordered by last use. */
  readonly #kept = new Map<string, EnvironmentState>();
  readonly #loading = new Map<string, Loading>();
  /** Environments of each ecosystem that are in memory or being loaded. */
  readonly #byEcosystem = new Map<string, Set<string>>();
  #weight = 0;

  constructor(store: Store, others: Others = NO_OTHERS, limit = LIMIT) {
    this.#store = store;
    this.#others = others;
    this.#limit = limit;
  }

  /** The environment, if it is in memory. */
  peek(environmentId: string): EnvironmentState | undefined {
    const state = this.#kept.get(environmentId);
    if (!state) return undefined;
    this.#kept.delete(environmentId);
    this.#kept.set(environmentId, state);
    return state;
  }

  /** The environment, loaded from the store if it is not in memory. */
  get(ecosystemId: string, environmentId: string): EnvironmentState | Promise<EnvironmentState> {
    const state = this.peek(environmentId);
    if (state) return state;
    const loading = this.#loading.get(environmentId);
    return loading ? loading.state : this.#load(ecosystemId, environmentId);
  }

  valueStored(place: DevicePlace, key: string, stored: StoredValue): void {
    const { environmentId, deviceId } = place;
    this.putValue(environmentId, deviceId, key, stored);
    this.#others.invalidations.note({ kind: "value", environmentId, deviceId, key, ...stored });
  }

  deviceStored(environmentId: string, device: CachedDevice): void {
    this.#change(environmentId, (state) => state.putDevice(device));
    this.#others.invalidations.note({ kind: "environment", environmentId });
  }

  deviceGone(environmentId: string, deviceId: string): void {
    this.#change(environmentId, (state) => state.dropDevice(deviceId));
    this.#others.invalidations.note({ kind: "environment", environmentId });
  }

  /** Drops the environment after a change that is not applied device by device, such as a deleted hub, and notifies the other nodes. */
  forget(environmentId: string): void {
    this.reread(environmentId);
    this.#others.invalidations.note({ kind: "environment", environmentId });
  }

  /** Applies a committed value, of this node or another. */
  putValue(environmentId: string, deviceId: string, key: string, stored: StoredValue): void {
    this.#change(environmentId, (state) => state.putValue(deviceId, key, stored));
  }

  /** Drops the environment after a change on another node that is not applied device by device; the next use loads it. */
  reread(environmentId: string): void {
    const state = this.#kept.get(environmentId);
    if (state) this.#drop(environmentId, state);
    const loading = this.#loading.get(environmentId);
    if (loading) loading.stale = true;
  }

  /** Drops all environments of an ecosystem; the next use loads each. */
  rereadAll(ecosystemId: string): void {
    for (const environmentId of [...(this.#byEcosystem.get(ecosystemId) ?? [])]) this.reread(environmentId);
  }

  #change(environmentId: string, change: Change): void {
    this.#loading.get(environmentId)?.changes.push(change);
    const state = this.#kept.get(environmentId);
    if (!state) return;
    const before = state.weight;
    change(state);
    this.#weight += state.weight - before;
    this.#makeRoom(environmentId);
  }

  #load(ecosystemId: string, environmentId: string): Promise<EnvironmentState> {
    const { promise, resolve, reject } = Promise.withResolvers<EnvironmentState>();
    this.#others.follow(ecosystemId);
    const loading: Loading = { state: promise, changes: [], stale: false };
    this.#loading.set(environmentId, loading);
    const siblings = this.#byEcosystem.get(ecosystemId) ?? new Set();
    this.#byEcosystem.set(ecosystemId, siblings.add(environmentId));
    this.#read(ecosystemId, environmentId, loading).then(resolve, reject);
    return promise;
  }

  async #read(ecosystemId: string, environmentId: string, loading: Loading): Promise<EnvironmentState> {
    try {
      for (;;) {
        loading.stale = false;
        loading.changes.length = 0;
        const state = await readEnvironment(this.#store.of(ecosystemId).sql, ecosystemId, environmentId);
        if (loading.stale) continue;
        for (const change of loading.changes) change(state);
        this.#kept.set(environmentId, state);
        this.#weight += state.weight;
        this.#makeRoom(environmentId);
        return state;
      }
    } finally {
      this.#loading.delete(environmentId);
      if (!this.#kept.has(environmentId)) this.#leave(ecosystemId, environmentId);
    }
  }

  #makeRoom(keep: string): void {
    for (const [environmentId, state] of this.#kept) {
      if (this.#weight <= this.#limit) return;
      if (environmentId !== keep) this.#drop(environmentId, state);
    }
  }

  #drop(environmentId: string, state: EnvironmentState): void {
    this.#kept.delete(environmentId);
    this.#weight -= state.weight;
    if (!this.#loading.has(environmentId)) this.#leave(state.ecosystemId, environmentId);
  }

  #leave(ecosystemId: string, environmentId: string): void {
    const siblings = this.#byEcosystem.get(ecosystemId);
    siblings?.delete(environmentId);
    if (siblings?.size === 0) this.#byEcosystem.delete(ecosystemId);
  }
}
