/** The write jobs that end a PUT: a confirmed command with its value and event, or what became of one that was not confirmed. */
import type { PropertyItem } from "@porchlight/shared/api";
import { BoundedMap, type Clock, type Id, type Log } from "@porchlight/shared/kernel";
import type { DescribedProperty } from "@porchlight/shared/model";
import { type DevicePlace, propertyItem, type StoredValue } from "@porchlight/shared/rest";
import type { ResultRecord } from "@porchlight/shared/tunnel";
import { type CommandRow, type Store, statement, type Transaction } from "../../store/index.ts";
import { type Hub, Superseded } from "../../tunnels/index.ts";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import { deviceNotFound } from "../device/device-row.ts";
import type { LearnedValue } from "../values/value-decision.ts";
import { readValue, type StoredRow, storedValue, storeLearned } from "../values/value-store.ts";
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

/** The hub's standing, the device's life and the value before, in one look. */
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
    // One that was stored before it was sent, or whose record came first.
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

/** When its caller was told `unknown`, its end is told as an event. */
async function endStored(tx: Transaction, row: CommandRow): Promise<void> {
  const stored = await readCommand(tx, row.ecosystem_id, row.id);
  if (stored?.outcome === "unknown") await settleCommand(tx, stored, endOfRow(row), row.completed_at ?? tx.now());
  else await updateCommand(tx, row);
}

/** What stands in the store, and so what the caller is told: a success when the result has come as a record meanwhile. */
export type StoredResolution = { readonly resolution: CommandResolution } | { readonly item: PropertyItem };

/**
 * With its event, unless another has told the end, or this one was stored already.
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
 * What the caller of a confirmed command is told: the device may have reported another value since, and it is told what was confirmed.
 * @param stored what the property has now
 */
function confirmedItem(place: ResultPlace, row: CommandRow, stored: StoredValue): PropertyItem {
  return propertyItem(place, place.property, { ...stored, value: confirmedValueOf(row) });
}

/** How a command ended by its row. */
function endOfRow(row: CommandRow): CommandEnd {
  return {
    ...(row.outcome === "confirmed" && { value: JSON.parse(confirmedValueOf(row)) }),
    // Written by this module.
    state: row.state as CommandEnd["state"],
    outcome: row.outcome as CommandEnd["outcome"],
    ...(row.error !== null && { error: JSON.parse(row.error) }),
  };
}

/**
 * An answer that came after its caller's time. What has a number comes as a record too and settles the command there; what
 * was never begun comes only now.
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

// Commands whose fast copy has been committed with all its effects: their record in the hub's history needs no look-up any more.

/** Beyond it the oldest is forgotten, and its record looked up. */
const MOST = 20_000;

export class StoredResults {
  readonly #commands = new BoundedMap<string, true>(MOST);

  /** To be told after the commit. */
  add(commandId: string): void {
    this.#commands.set(commandId, true);
  }

  /** Whether the command's record has nothing left to do. */
  has(commandId: string): boolean {
    return this.#commands.has(commandId);
  }
}

// A PUT with an idempotency key (A4.6): its command is stored under the key before it is sent, and a repeat is answered
// by what has become of that command, so that no second one is ever sent.

/** Who remembers which command a request has stored for which property. */
export interface CommandKeeper {
  /** ID of the command that an earlier attempt at the request has stored. */
  earlierCommand(property: string): string | undefined;
  /** In the job that stores the command. @throws "Idempotency Key In Use" when another attempt goes on with the request */
  keepCommand(tx: Transaction, property: string, commandId: string): Promise<void>;
}

/** The word under which the command of a property is kept. */
export function propertyWord(deviceId: string, property: DescribedProperty): string {
  return `${deviceId} ${property.key}`;
}

/** @param row of the command, as sent @throws "Service Unavailable", "Idempotency Key In Use" */
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

/** What has become of a command: a success, or its resolution. */
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
  // Written by this module.
  return {
    kind: "done",
    result: { commandId: row.id as Id<"cmd">, item: confirmedItem({ ...place, property }, row, value) },
  };
}

const OPEN = {
  name: "Hub Timeout",
  detail: "The command of the first request with this key has not ended: whether it was carried out is not known yet.",
};
