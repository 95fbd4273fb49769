/** The end of a PUT to a virtual device: the cloud is the device, so command, value and event are stored and that is the confirmation. */
import type { PropertyItem } from "@porchlight/shared/api";
import type { Clock } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { type ChangeCause, propertyItem } from "@porchlight/shared/rest";
import { livingObject } from "../../access/index.ts";
import type { CommandRow, Store } from "../../store/index.ts";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import type { ResultPlace } from "../commands/command-result.ts";
import { addCommand, causeOf, tellCompleted } from "../commands/command-store.ts";
import { type DoubtDeps, settleDoubt } from "../commands/doubtful-command.ts";
import { type CommandKeeper, propertyWord } from "../commands/keyed-command.ts";
import { readValue, storeValue } from "../values/value-store.ts";

export interface SetVirtualDeps extends DoubtDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
}

/**
 * Jobs of an ecosystem run in the order in which they were handed over, and so do the writes.
 * @param keeper of a request with an idempotency key
 * @param report as the device's own sensor tells a value
 * @throws "Device Not Found", "Service Unavailable"
 */
export function setVirtual(
  deps: SetVirtualDeps,
  place: ResultPlace,
  value: Value,
  row: CommandRow,
  report: boolean,
  keeper?: CommandKeeper,
): Promise<PropertyItem> {
  const { property } = place;
  const values = { now: () => deps.clock.now(), listener: deps.cache };
  const cause: ChangeCause = report ? { kind: "device" } : causeOf(row);
  const stored = deps.store.write(place.ecosystemId, async (tx) => {
    await livingObject(tx, place.ecosystemId, "dev", place.deviceId);
    await addCommand(tx, row);
    if (row.deferred === 1) tellCompleted(tx, row);
    await keeper?.keepCommand(tx, propertyWord(place.deviceId, property), row.id);
    const before = await readValue(tx, place, property);
    const learned = { value, number: (before?.number ?? 0) + 1, observedAt: deps.clock.now() };
    return propertyItem(place, property, await storeValue(tx, values, place, property, learned, cause));
  });
  return stored.catch((error: unknown) => {
    settleDoubt(deps, error, row, () => undefined);
    throw error;
  });
}
