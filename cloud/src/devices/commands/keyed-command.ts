/**
 * A PUT with an idempotency key (A4.6): its command is stored under the key before it is sent, and a repeat is answered
 * by what has become of that command, so that no second one is ever sent.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import type { Id } from "@porchlight/shared/kernel";
import type { DescribedProperty } from "@porchlight/shared/model";
import type { DevicePlace } from "@porchlight/shared/rest";
import type { CommandRow, Store, Transaction } from "../../store/index.ts";
import { readValue } from "../values/value-store.ts";
import type { CommandResolution } from "./command-outcome.ts";
import { confirmedItem, endOfRow } from "./command-result.ts";
import { addCommand, readCommand } from "./command-store.ts";

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
export type Became =
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
