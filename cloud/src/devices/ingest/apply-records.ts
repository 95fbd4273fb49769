/**
 * A batch of a hub's history, applied in one write job: values, presence, results of commands, their events and the
 * hub's position stand or fall together (T6).
 *
 * Invariants: what the position has passed has no second effect; a batch is not applied over a gap that a failed one
 * before it left; records of a device that is unknown, gone, or another hub's are passed over.
 */
import { type Clock, isId } from "@porchlight/shared/kernel";
import { CHANGE_CAUSES, type ChangeCause, type DevicePlace } from "@porchlight/shared/rest";
import type { HubRecord, PresenceRecord, ResultRecord, ValueRecord } from "@porchlight/shared/tunnel";
import { type Store, statement, type Transaction } from "../../store/index.ts";
import { type Hub, type RecordBatch, recordWeight, standingOf } from "../../tunnels/index.ts";
import { addCommand, causeOf, endOf, readCommand, settleCommand, tellCompleted } from "../commands/command-store.ts";
import type { StoredResults } from "../commands/stored-results.ts";
import { type Descriptions, type DeviceByEdge, deviceByEdge } from "../device/device-by-edge.ts";
import { setDevicePresence } from "../device/device-events.ts";
import { believedTime } from "../values/believed-time.ts";
import { type Entry, ValueBatch } from "../values/value-batch.ts";
import type { ValueListener } from "../values/value-store.ts";

export interface ApplyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly listener: ValueListener;
  readonly descriptions: Descriptions;
  readonly storedResults: Pick<StoredResults, "has">;
}

const setPosition = statement<{ eco: string; client: string; position: number }>("hub_position")((db, p) =>
  db.updateTable("clients").set({ position: p.position }).where("ecosystem_id", "=", p.eco).where("id", "=", p.client),
);

/** What came before this batch on its connection was not stored. */
export class GapInHistory extends Error {
  constructor(hub: Hub, position: number, after: number) {
    super(`${hub.clientId} is stored up to ${position}, and this batch follows ${after}`);
  }
}

/** Gives the number up to which all is stored. @throws Superseded, GapInHistory, "Service Unavailable" */
export function applyRecords(deps: ApplyDeps, hub: Hub, { records, after }: RecordBatch): Promise<number> {
  return deps.store.writeReport(hub.ecosystemId, weightOf(records), async (tx) => {
    const batch = new Batch(deps, tx, hub);
    const [{ position }] = await Promise.all([standingOf(tx, hub), batch.readDevices(records)]);
    if (position < after) throw new GapInHistory(hub, position, after);
    const fresh = records.filter(({ n }) => n > position);
    const last = fresh.at(-1)?.n;
    if (last === undefined) return position;
    const entries = await batch.readValues(fresh);
    for (const [at, record] of fresh.entries()) await batch.apply(record, entries[at]);
    await Promise.all([
      batch.end(),
      tx.run(setPosition, { eco: hub.ecosystemId, client: hub.clientId, position: last }),
    ]);
    return last;
  });
}

class Batch {
  readonly #deps: ApplyDeps;
  readonly #tx: Transaction;
  readonly #hub: Hub;
  readonly #now: () => number;
  readonly #devices = new Map<string, DeviceByEdge | undefined>();
  readonly #values: ValueBatch;

  constructor(deps: ApplyDeps, tx: Transaction, hub: Hub) {
    this.#deps = deps;
    this.#tx = tx;
    this.#hub = hub;
    this.#now = () => deps.clock.now();
    this.#values = new ValueBatch(tx, { now: this.#now, listener: deps.listener });
  }

  /** Reads the devices of which the records tell, all at once, and what is not known of their descriptions. */
  async readDevices(records: readonly HubRecord[]): Promise<void> {
    // Most results have nothing left to do, and need no device.
    const edges = new Set(records.flatMap((record) => (record.kind === "result" ? [] : [record.device])));
    await Promise.all([...edges].map((edge) => this.#described(edge)));
  }

  /** Of each record that tells a value its property and what is stored of it, all at once; undefined of the others. */
  readValues(records: readonly HubRecord[]): Promise<readonly (Entry | undefined)[]> {
    return Promise.all(records.map((record) => (record.kind === "value" ? this.#entry(record) : undefined)));
  }

  /** @param entry of a record that tells a value, unless that is passed over */
  async apply(record: HubRecord, entry: Entry | undefined): Promise<void> {
    switch (record.kind) {
      case "value":
        if (entry) this.#learn(entry, record, record.value, causeOfValue(record));
        return;
      case "presence":
        return this.#presence(record);
      case "result":
        return this.#result(record);
    }
  }

  /** Once all are applied. */
  end(): Promise<void> {
    return this.#values.write();
  }

  async #presence({ device: edge, online, observedAt }: PresenceRecord): Promise<void> {
    const device = await this.#device(edge);
    if (!device || (device.online === 1) === online) return;
    const at = believedTime(observedAt, this.#now());
    await setDevicePresence(this.#tx, this.#hub, device.id, online, at);
    this.#devices.set(edge, { ...device, online: online ? 1 : 0 });
  }

  /** The lasting copy of a command's end: it settles what the fast copy on the wire has not, and moves the value if that is new. */
  async #result(record: ResultRecord): Promise<void> {
    const { command: id, outcome, value } = record;
    if (!isId("cmd", id) || this.#deps.storedResults.has(id)) return;
    const { ecosystemId } = this.#hub;
    const known = await readCommand(this.#tx, ecosystemId, id);
    if (known && known.client_id !== this.#hub.clientId) return;
    // What has confirmed it has stored its value in the same transaction.
    if (known?.state === "confirmed") return;
    if (known) await settleCommand(this.#tx, known, endOf(record), this.#now());
    if (!known) await this.#addForgotten(id, record);
    if (outcome !== "confirmed" || value === undefined) return;
    const entry = await this.#entry(record);
    if (entry) this.#learn(entry, record, value, known ? causeOf(known) : { kind: "command", commandId: id });
  }

  /** This cloud crashed before it stored the command: what the hub tells of it is all that is left. */
  async #addForgotten(id: string, record: ResultRecord): Promise<void> {
    const device = await this.#device(record.device);
    if (!device) return;
    const end = endOf(record);
    const now = this.#now();
    const at = believedTime(record.observedAt, now);
    const row = {
      ecosystem_id: this.#hub.ecosystemId,
      id,
      environment_id: this.#hub.environmentId,
      device_id: device.id,
      client_id: this.#hub.clientId,
      service: record.service,
      idx: record.index,
      property: record.property,
      value: JSON.stringify(record.requested),
      state: end.state,
      outcome: end.outcome,
      error: end.error ? JSON.stringify(end.error) : null,
      created_at: at,
      expires_at: at,
      completed_at: now,
      token_id: null,
      deferred: null,
      origin: null,
      hops: null,
      scene_id: null,
      scene_command_id: null,
    };
    if (await addCommand(this.#tx, row)) tellCompleted(this.#tx, row);
  }

  #learn(entry: Entry, record: ValueRecord | ResultRecord, value: ValueRecord["value"], cause: ChangeCause): void {
    this.#values.learn(entry, { value, number: record.n, observedAt: record.observedAt }, cause);
  }

  /** The property of which the record tells; undefined when it is passed over. */
  async #entry(record: ValueRecord | ResultRecord): Promise<Entry | undefined> {
    const known = await this.#described(record.device);
    const property = known?.described.byKey.get(`${record.service}:${record.index}.${record.property}`);
    return known && property && this.#values.entry(this.#place(known.device), property);
  }

  async #described(edge: string) {
    const device = await this.#device(edge);
    return device && { device, described: await this.#deps.descriptions.of(this.#tx, this.#hub.ecosystemId, device) };
  }

  /** The device, when it is this hub's and living. */
  async #device(edge: string): Promise<DeviceByEdge | undefined> {
    if (this.#devices.has(edge)) return this.#devices.get(edge);
    const found = await deviceByEdge(this.#tx, this.#hub, edge);
    const ours = found?.client_id === this.#hub.clientId && found.gone_at === null ? found : undefined;
    this.#devices.set(edge, ours);
    return ours;
  }

  #place(device: DeviceByEdge): DevicePlace {
    const { ecosystemId, environmentId } = this.#hub;
    return { ecosystemId, environmentId, deviceId: device.id };
  }
}

function causeOfValue({ cause, scene }: ValueRecord): ChangeCause {
  if (scene && isId("scn", scene.id)) return { kind: "scene", sceneId: scene.id, by: scene.by };
  return { kind: CHANGE_CAUSES[cause] };
}

function weightOf(records: readonly HubRecord[]): number {
  return records.reduce((sum, record) => sum + recordWeight(record), 0);
}
