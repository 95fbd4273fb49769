/**
 * Applies batches of hubs' histories, several in one transaction: values, presence, results of commands, their events
 * and the hub's position are committed together or not at all (T6).
 *
 * Invariants: a record behind the position has no second effect; a batch is not applied over a gap that a failed
 * predecessor left; records of a device that is unknown, deleted, or another hub's are skipped, and so is a record that
 * cannot be applied.
 */
import { type Clock, isId, type Log } from "@porchlight/shared/kernel";
import { CHANGE_CAUSES, type ChangeCause } from "@porchlight/shared/rest";
import type { HubRecord, PresenceRecord, ResultRecord, ValueRecord } from "@porchlight/shared/tunnel";
import {
  bulk,
  type Job,
  type JobKind,
  type KindSql,
  type Store,
  statement,
  type Transaction,
} from "../../store/index.ts";
import { GapInHistory, type Hub, type RecordBatch, recordWeight, Superseded } from "../../tunnels/index.ts";
import type { StoredResults } from "../commands/command-result.ts";
import {
  addCommand,
  causeOf,
  confirmedText,
  endOf,
  readCommand,
  settleCommand,
  tellCompleted,
} from "../commands/command-store.ts";
import { setDevicePresence } from "../device-events.ts";
import type { Descriptions } from "../device-row.ts";
import { believedTime, type LearnedValue } from "../value-decision.ts";
import type { ValueListener } from "../value-store.ts";
import { type Entry, type HubBatch, KnownState, targetOf, ValueBatch } from "./known-state.ts";

export interface ApplyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly listener: ValueListener;
  readonly descriptions: Descriptions;
  readonly storedResults: Pick<StoredResults, "has">;
}

const setPositions = bulk(
  statement<{ eco: string; client: string; position: number }>("hub_position")((db, p) =>
    db
      .updateTable("clients")
      .set({ position: p.position })
      .where("ecosystem_id", "=", p.eco)
      .where("id", "=", p.client),
  ),
  { eco: "text", client: "text", position: "bigint" },
);

/** Stores the records of hubs. */
export class RecordBatches {
  readonly #store: Store;
  readonly #log: Log;
  readonly #kind: JobKind<HubBatch, number>;
  /** The last pending batch of each hub. */
  readonly #last = new Map<string, Promise<number>>();

  constructor(deps: ApplyDeps) {
    this.#store = deps.store;
    this.#log = deps.log;
    this.#kind = { together: (sql, jobs) => applyTogether(deps, sql, jobs) };
  }

  /** Returns the number up to which everything is stored. @throws Superseded, GapInHistory, "Service Unavailable" */
  apply(hub: Hub, batch: RecordBatch): Promise<number> {
    const { clientId } = hub;
    const applied = this.#applyAfter(this.#last.get(clientId), hub, batch);
    this.#last.set(clientId, applied);
    const forget = () => void (this.#last.get(clientId) === applied && this.#last.delete(clientId));
    applied.then(forget, forget);
    return applied;
  }

  async #applyAfter(before: Promise<number> | undefined, hub: Hub, batch: RecordBatch): Promise<number> {
    try {
      return await this.#applyInParts(hub, batch);
    } catch (error) {
      if (!(error instanceof GapInHistory) || !before) throw error;
      // The previous batch is being halved, which takes several transactions.
      await before;
      return this.#applyInParts(hub, batch);
    }
  }

  async #applyInParts(hub: Hub, batch: RecordBatch): Promise<number> {
    if (batch.records.length === 0) return this.#write({ hub, batch });
    let { after } = batch;
    let position = after;
    await this.#store.setAside.each(batch.records, {
      ...{ loop: "hub_records", log: this.#log, about: ({ n, kind }) => ({ client: hub.clientId, number: n, kind }) },
      work: async (records) => {
        position = await this.#write({ hub, batch: { records, after } });
        after = position;
      },
      aside: async ({ n }) => {
        position = await this.#write({ hub, batch: { records: [], after }, passed: n });
        after = position;
      },
    });
    return position;
  }

  #write(input: HubBatch): Promise<number> {
    const { hub, batch } = input;
    return this.#store.writeReportOf(this.#kind, hub.ecosystemId, weightOf(batch.records), input);
  }
}

async function applyTogether(
  deps: ApplyDeps,
  sql: KindSql,
  jobs: readonly Job<HubBatch>[],
): Promise<readonly PromiseSettledResult<number>[]> {
  const known = new KnownState(sql, deps.descriptions);
  await known.read(jobs.map(({ input }) => input));
  const values = new ValueBatch({ now: () => deps.clock.now(), listener: deps.listener });
  const results: PromiseSettledResult<number>[] = [];
  for (const { tx, input } of jobs) results.push(await new Batch(deps, tx, input, known, values).apply());
  values.write(sql);
  const { positions } = known;
  if (positions.length > 0) sql.later(sql.runOf(setPositions, positions));
  return results;
}

class Batch {
  readonly #deps: ApplyDeps;
  readonly #tx: Transaction;
  readonly #hub: Hub;
  readonly #batch: RecordBatch;
  readonly #passed: number;
  readonly #known: KnownState;
  readonly #values: ValueBatch;
  /** By the hub's name of the property. */
  readonly #entries = new Map<string, Entry>();

  constructor(deps: ApplyDeps, tx: Transaction, input: HubBatch, known: KnownState, values: ValueBatch) {
    const { hub, batch, passed = 0 } = input;
    this.#deps = deps;
    this.#passed = passed;
    this.#tx = tx;
    this.#hub = hub;
    this.#batch = batch;
    this.#known = known;
    this.#values = values;
  }

  /** Rejects, without a change, when a newer connection has taken over or the batch follows a gap. */
  async apply(): Promise<PromiseSettledResult<number>> {
    const { records, after } = this.#batch;
    const position = this.#known.position(this.#hub);
    if (position === undefined) return { status: "rejected", reason: new Superseded(this.#hub) };
    if (position < after) return { status: "rejected", reason: new GapInHistory(this.#hub, position, after) };
    const fresh = records.filter(({ n }) => n > position);
    for (const record of fresh) {
      const work = this.#apply(record);
      // Most records are applied synchronously, and there are thousands a second.
      if (work !== undefined) await work;
    }
    const last = fresh.at(-1)?.n ?? Math.max(position, this.#passed);
    if (last > position) this.#known.moved(this.#hub, last);
    return { status: "fulfilled", value: last };
  }

  #apply(record: HubRecord): Promise<void> | undefined {
    switch (record.kind) {
      case "value":
        return this.#learn(record, record.value, causeOfValue(record));
      case "presence":
        return this.#presence(record);
      case "result":
        return this.#result(record);
    }
  }

  async #presence({ device: edge, online, observedAt }: PresenceRecord): Promise<void> {
    const device = this.#known.device(this.#hub, edge);
    if (!device || (device.online === 1) === online) return;
    const at = believedTime(observedAt, this.#now());
    await setDevicePresence(this.#tx, this.#hub, device.id, online, at);
    this.#known.setOnline(this.#hub, edge, device, online);
  }

  /** Applies the durable copy of a command's end: it settles a command whose fast copy was lost, and stores its value if that is new. */
  async #result(record: ResultRecord): Promise<void> {
    const { command: id, outcome, value } = record;
    if (!isId("cmd", id) || this.#deps.storedResults.has(id)) return;
    const { ecosystemId } = this.#hub;
    const known = await readCommand(this.#tx, ecosystemId, id);
    if (known && known.client_id !== this.#hub.clientId) return;
    // The transaction that confirmed the command has stored its value too.
    if (known?.state === "confirmed") return;
    if (known) await settleCommand(this.#tx, known, endOf(record), this.#now());
    if (!known) await this.#addForgotten(id, record);
    if (outcome !== "confirmed" || value === undefined) return;
    await this.#learn(record, value, known ? causeOf(known) : { kind: "command", commandId: id });
  }

  /** Stores a command from the hub's record alone: this cloud crashed before it stored the command. */
  async #addForgotten(id: string, record: ResultRecord): Promise<void> {
    const device = await this.#known.readDevice(this.#hub, record.device);
    if (!device) return;
    const end = endOf(record);
    const now = this.#now();
    const at = believedTime(record.observedAt, now);
    const asked = JSON.stringify(record.requested);
    const row = {
      ecosystem_id: this.#hub.ecosystemId,
      id,
      environment_id: this.#hub.environmentId,
      device_id: device.id,
      client_id: this.#hub.clientId,
      service: record.service,
      idx: record.index,
      property: record.property,
      value: asked,
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
      confirmed_value: confirmedText(asked, end),
    };
    if (await addCommand(this.#tx, row)) tellCompleted(this.#tx, row);
  }

  /** @returns undefined when it completed synchronously */
  #learn(
    record: ValueRecord | ResultRecord,
    value: ValueRecord["value"],
    cause: ChangeCause,
  ): Promise<void> | undefined {
    const key = targetOf(record);
    const learned = { value, number: record.n, observedAt: record.observedAt };
    const entry = this.#entries.get(key);
    if (!entry) return this.#learnFirst(key, record, learned, cause);
    this.#values.learn(this.#tx, entry, learned, cause);
    return undefined;
  }

  /** Handles the first record of a property in the batch. */
  async #learnFirst(key: string, record: ValueRecord | ResultRecord, learned: LearnedValue, cause: ChangeCause) {
    const found = await this.#known.property(this.#hub, record);
    if (!found) return;
    const { place, property } = found;
    const entry =
      this.#values.entry(place, property) ??
      this.#values.add(place, property, await this.#known.stored(this.#hub, record));
    this.#entries.set(key, entry);
    this.#values.learn(this.#tx, entry, learned, cause);
  }

  #now(): number {
    return this.#deps.clock.now();
  }
}

function causeOfValue({ cause, scene }: ValueRecord): ChangeCause {
  if (scene && isId("scn", scene.id)) return { kind: "scene", sceneId: scene.id, by: scene.by };
  return { kind: CHANGE_CAUSES[cause] };
}

function weightOf(records: readonly HubRecord[]): number {
  return records.reduce((sum, record) => sum + recordWeight(record), 0);
}
