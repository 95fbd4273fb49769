/** The write jobs that end a PUT: a confirmed command with its value and event, or the outcome of an unconfirmed one. */
import type { PropertyItem } from "@porchlight/shared/api";
import { BoundedMap, type Clock, type Id, type Log } from "@porchlight/shared/kernel";
import type { DescribedProperty } from "@porchlight/shared/model";
import { type DevicePlace, propertyItem, type StoredValue } from "@porchlight/shared/rest";
import type { ResultRecord } from "@porchlight/shared/tunnel";
import { type CommandRow, type Store, statement, type Transaction } from "../../store/index.ts";
import { type Hub, Superseded } from "../../tunnels/index.ts";
import { deviceNotFound } from "../device-row.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { LearnedValue } from "../value-decision.ts";
import { readValue, type StoredRow, storedValue, storeLearned } from "../value-store.ts";
import type { CommandResolution } from "./command-outcome.ts";
import {
  addCommand,
  type CommandEnd,
  causeOf,
  confirmedValueOf,
  endOf,
  readCommand,
  settleCommand,
  tellUnconfirmed,
  updateCommand,
} from "./command-store.ts";

export interface ResultDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
  readonly storedResults: StoredResults;
}

export interface ResultPlace extends DevicePlace {
  readonly property: DescribedProperty;
}

type Nullable<T> = { readonly [K in keyof T]: T[K] | null };
type StandingKey = { eco: string; client: string; device: string; service: string; idx: string; property: string };

/** Reads the hub's standing, the device's state and the previous value in one query. */
const standing = statement<StandingKey>("confirm_standing")((db, p) =>
  db
    .selectFrom("clients")
    .leftJoin("objects", (join) =>
      join.onRef("objects.ecosystem_id", "=", "clients.ecosystem_id").on("objects.id", "=", p.device),
    )
    .leftJoin("property_values as old", (join) =>
      join
        .onRef("old.ecosystem_id", "=", "clients.ecosystem_id")
        .on("old.device_id", "=", p.device)
        .on("old.service", "=", p.service)
        .on("old.idx", "=", p.idx)
        .on("old.property", "=", p.property),
    )
    .select(["clients.epoch", "objects.id", "objects.gone_at"])
    .select(["old.value", "old.number", "old.modified_at", "old.observed_at"])
    .where("clients.ecosystem_id", "=", p.eco)
    .where("clients.id", "=", p.client),
);

/** @throws Superseded, "Device Not Found", "Service Unavailable" */
export function storeConfirmed(
  deps: ResultDeps,
  place: ResultPlace,
  hub: Hub,
  row: CommandRow,
  learned: LearnedValue,
): Promise<PropertyItem> {
  const { property } = place;
  const values = { now: () => deps.clock.now(), listener: deps.cache };
  return deps.store.write(place.ecosystemId, async (tx) => {
    const { service, index: idx } = property;
    const address = { device: place.deviceId, service, idx, property: property.property };
    const [[now], isNew] = await Promise.all([
      tx.all(standing, { eco: place.ecosystemId, client: hub.clientId, ...address }),
      addCommand(tx, row),
    ]);
    if (now?.epoch !== hub.epoch) throw new Superseded(hub);
    if (now.id === null || now.gone_at !== null) throw deviceNotFound();
    // The command was stored before it was sent, or its record came first.
    if (!isNew) await endStored(tx, row);
    tx.afterCommit(() => deps.storedResults.add(row.id));
    const stored = await storeLearned(tx, values, place, property, valueIn(now), learned, causeOf(row));
    return confirmedItem(place, row, stored);
  });
}

/** The value in a row that may have none. */
function valueIn(row: Nullable<StoredRow>): StoredValue | undefined {
  const { value, number, modified_at, observed_at } = row;
  if (value === null || number === null || modified_at === null || observed_at === null) return undefined;
  return storedValue({ value, number, modified_at, observed_at });
}

/** Ends the stored command, with an event when its caller was answered `unknown`. */
async function endStored(tx: Transaction, row: CommandRow): Promise<void> {
  const stored = await readCommand(tx, row.ecosystem_id, row.id);
  if (stored?.outcome === "unknown") await settleCommand(tx, stored, endOfRow(row), row.completed_at ?? tx.now());
  else await updateCommand(tx, row);
}

/** The stored outcome, which the caller is answered with: a success if the result has arrived as a record meanwhile. */
export type StoredResolution = { readonly resolution: CommandResolution } | { readonly item: PropertyItem };

/**
 * Stores the resolution with its event, unless the end is reported already or the command was stored before.
 * @throws "Service Unavailable"
 */
export function storeResolution(
  deps: ResultDeps,
  place: ResultPlace,
  row: CommandRow,
  resolution: CommandResolution,
): Promise<StoredResolution> {
  return deps.store.write(place.ecosystemId, async (tx) => {
    if (await addCommand(tx, row)) {
      tellUnconfirmed(tx, row);
      return { resolution };
    }
    const settled = await readCommand(tx, place.ecosystemId, row.id);
    if (!settled || settled.completed_at === null) {
      await updateCommand(tx, row);
      if (settled?.outcome === null) tellUnconfirmed(tx, row);
      return { resolution };
    }
    const stored = settled.outcome === "confirmed" && (await readValue(tx, place, place.property));
    if (stored) return { item: confirmedItem(place, settled, stored) };
    return { resolution: { kind: "ended", end: endOfRow(settled) } };
  });
}

/**
 * The item for the caller of a confirmed command: it has the confirmed value, even if the device has reported another
 * one since.
 * @param stored the property's current value
 */
function confirmedItem(place: ResultPlace, row: CommandRow, stored: StoredValue): PropertyItem {
  return propertyItem(place, place.property, { ...stored, value: confirmedValueOf(row) });
}

/** The end of a command, from its row. */
function endOfRow(row: CommandRow): CommandEnd {
  return {
    ...(row.outcome === "confirmed" && { value: JSON.parse(confirmedValueOf(row)) }),
    // Only this module writes the column.
    state: row.state as CommandEnd["state"],
    outcome: row.outcome as CommandEnd["outcome"],
    ...(row.error !== null && { error: JSON.parse(row.error) }),
  };
}

/**
 * Handles an answer that came after its caller's time. An answer with a number also comes as a record, which settles
 * the command; the answer for a command that never began comes only here.
 */
export function settleLate(deps: ResultDeps & { readonly log: Log }, ecosystemId: string, answer: ResultRecord): void {
  if (answer.n !== 0 || answer.outcome === "unknown") return;
  const settled = deps.store.write(ecosystemId, async (tx) => {
    const row = await readCommand(tx, ecosystemId, answer.command);
    if (row?.completed_at === null) await settleCommand(tx, row, endOf(answer), deps.clock.now());
  });
  settled.catch((error: unknown) => {
    deps.log.warn(
      { error, command: answer.command },
      "a late answer could not be stored; the hub will be asked again when it reconnects",
    );
  });
}

/** Maximum remembered commands; beyond it the oldest is dropped, and its record is looked up. */
const MOST = 20_000;

/** Commands whose fast copy is committed with all its effects: their record in the hub's history needs no look-up any more. */
export class StoredResults {
  readonly #commands = new BoundedMap<string, true>(MOST);

  /** Must be called after the commit. */
  add(commandId: string): void {
    this.#commands.set(commandId, true);
  }

  /** Whether the command's record has no effect left. */
  has(commandId: string): boolean {
    return this.#commands.has(commandId);
  }
}

/**
 * The memory of a PUT with an idempotency key (A4.6): its command is stored under the key before it is sent, and a
 * repeat is answered with the outcome of that command, so that a second one is never sent.
 */
export interface CommandKeeper {
  /** ID of the command that an earlier attempt at the request has stored. */
  earlierCommand(property: string): string | undefined;
  /** Called in the job that stores the command. @throws "Idempotency Key In Use" when another attempt has taken over the request */
  keepCommand(tx: Transaction, property: string, commandId: string): Promise<void>;
}

/** The key of a property's command in the memory of a request. */
export function propertyWord(deviceId: string, property: DescribedProperty): string {
  return `${deviceId} ${property.key}`;
}

/** @param row of the command, in state `sent` @throws "Service Unavailable", "Idempotency Key In Use" */
export async function storeFirst(
  store: Store,
  keeper: CommandKeeper,
  property: DescribedProperty,
  row: CommandRow,
): Promise<void> {
  await store.write(row.ecosystem_id, async (tx) => {
    await addCommand(tx, row);
    await keeper.keepCommand(tx, propertyWord(row.device_id, property), row.id);
  });
}

/** The outcome of a command: a success, or its resolution. */
type Became =
  | { readonly kind: "done"; readonly result: { readonly commandId: Id<"cmd">; readonly item: PropertyItem } }
  | CommandResolution;

/** @param commandId stored by an earlier attempt */
export async function whatBecameOf(
  store: Store,
  place: DevicePlace,
  property: DescribedProperty,
  commandId: string,
): Promise<Became> {
  const { sql } = store.of(place.ecosystemId);
  const row = await readCommand(sql, place.ecosystemId, commandId);
  if (!row || row.completed_at === null) return { kind: "open", error: OPEN };
  const value = row.outcome === "confirmed" && (await readValue(sql, place, property));
  if (!value) return { kind: "ended", end: endOfRow(row) };
  // Only this module writes the column.
  return {
    kind: "done",
    result: { commandId: row.id as Id<"cmd">, item: confirmedItem({ ...place, property }, row, value) },
  };
}

const OPEN = {
  name: "Hub Timeout",
  detail: "The command of the first request with this key has not ended: whether it was carried out is not known yet.",
};
