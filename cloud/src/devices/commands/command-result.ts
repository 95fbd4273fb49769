/** The write jobs that end a PUT: a confirmed command with its value and event, or what became of one that was not confirmed. */
import type { PropertyItem } from "@porchlight/shared/api";
import type { Clock, Log } from "@porchlight/shared/kernel";
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
import type { StoredResults } from "./stored-results.ts";

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
export function confirmedItem(place: ResultPlace, row: CommandRow, stored: StoredValue): PropertyItem {
  return propertyItem(place, place.property, { ...stored, value: confirmedValueOf(row) });
}

/** How a command ended by its row. */
export function endOfRow(row: CommandRow): CommandEnd {
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
