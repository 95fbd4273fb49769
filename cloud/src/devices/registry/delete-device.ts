/**
 * The DELETE of a device. What is left is its tombstone; of a physical one also under which arrival number it was known, so that
 * its hub's records of it are acknowledged without effect until it is announced afresh (T2).
 */
import type { Clock } from "@porchlight/shared/kernel";
import {
  audit,
  type Caller,
  DEFAULT_META_PREFIX,
  endLivingObject,
  type References,
  type Resolved,
} from "../../access/index.ts";
import { event } from "../../events/index.ts";
import type { Store } from "../../store/index.ts";
import type { EnvironmentCache } from "../cache/environment-cache.ts";
import { readOpenCommandsOfDevice, settleCommand } from "../commands/command-store.ts";
import { deviceNotFound, readDevice } from "../device/device-row.ts";
import { dropDevice, dropDeviceValues } from "../device/device-writes.ts";
import type { HubView } from "../device/hub-view.ts";
import type { HubTeller } from "./hub-teller.ts";
import { showDevice } from "./list-devices.ts";

export interface DeleteDeviceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly references: References;
  readonly teller: Pick<HubTeller, "changed">;
}

/** A command that is open must not be sent again to a device that the service does not have any more. */
const FORGOTTEN = {
  state: "failed",
  outcome: "unknown",
  error: {
    name: "Device Not Found",
    detail: "The device was deleted before its hub reported the result of the command.",
  },
} as const;

/** @param matches the `if-match` of the request @throws "Device Not Found", "Precondition Failed" */
export function deleteDevice(
  deps: DeleteDeviceDeps,
  caller: Caller,
  target: Resolved<"dev">,
  matches?: ((version: number) => boolean) | undefined,
): Promise<void> {
  const { store, clock, cache, hubs, references, teller } = deps;
  const { ecosystemId: eco, id } = target;
  return store.write(eco, async (tx) => {
    const device = await readDevice(tx, eco, id);
    if (!device) throw deviceNotFound();
    const at = clock.now();
    const shown = showDevice(hubs, device, DEFAULT_META_PREFIX);
    await endLivingObject(tx, references, target, at, matches);
    for (const open of await readOpenCommandsOfDevice(tx, eco, device.client_id, id))
      await settleCommand(tx, open, FORGOTTEN, at);
    const key = { eco, device: id };
    if (device.type === "physical") await dropDeviceValues(tx, key);
    else await dropDevice(tx, key);
    await audit(tx, caller, "device.deleted", id);
    tx.append(event("device.removed", device.environment_id, shown));
    tx.afterCommit(() => cache.deviceGone(device.environment_id, id));
    tx.afterCommit(() => teller.changed(device.environment_id));
  });
}
