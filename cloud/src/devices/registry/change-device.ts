/** The PUT of a device: its alias and metadata, with `device.updated` in the same transaction. */
import type { Device } from "@porchlight/shared/api";
import {
  audit,
  type Caller,
  changeLivingObject,
  DEFAULT_META_PREFIX,
  type References,
  type Resolved,
  readAlias,
  replaceMeta,
} from "../../access/index.ts";
import { event } from "../../events/index.ts";
import type { Store } from "../../store/index.ts";
import { maintainedMeta } from "../device/device-resource.ts";
import { deviceNotFound, readDevice } from "../device/device-row.ts";
import type { HubView } from "../device/hub-view.ts";
import type { HubTeller } from "./hub-teller.ts";
import { showDevice } from "./list-devices.ts";

export interface ChangeDeviceDeps {
  readonly store: Store;
  readonly hubs: HubView;
  readonly references: References;
  readonly teller: Pick<HubTeller, "changed">;
}

export interface DeviceChange {
  readonly alias?: string | null | undefined;
  /** As it came; undefined leaves it as it is. */
  readonly meta?: unknown;
  /** Prefix of system metadata that the request writes under. */
  readonly prefix: string;
  /** The `if-match` of the request. */
  readonly matches?: ((version: number) => boolean) | undefined;
  /** Throws when what else came with the request contradicts the device as it is. */
  readonly verify: (stored: Device) => void;
}

/**
 * Gives the version that the device then has.
 * @throws "Device Not Found", "Precondition Failed", "Alias Invalid", "Alias Exists", "Metadata Format Invalid", and what `verify` throws
 */
export function changeDevice(
  deps: ChangeDeviceDeps,
  caller: Caller,
  target: Resolved<"dev">,
  change: DeviceChange,
): Promise<number> {
  const { store, hubs, references, teller } = deps;
  const { ecosystemId, id } = target;
  const { prefix, matches, meta } = change;
  const alias = readAlias(change.alias);
  return store.write(ecosystemId, async (tx) => {
    const device = await readDevice(tx, ecosystemId, id);
    if (!device) throw deviceNotFound();
    change.verify(showDevice(hubs, device, prefix));
    const maintained = maintainedMeta(device);
    const { row, changed } = await changeLivingObject(tx, references, target, {
      alias,
      meta: meta === undefined ? undefined : (stored) => replaceMeta(stored, meta, prefix, maintained),
      matches,
    });
    if (!changed) return row.version;
    tx.afterCommit(() => teller.changed(device.environment_id));
    await audit(tx, caller, "device.updated", id);
    const data = showDevice(hubs, { ...device, alias: row.alias, meta: row.meta }, DEFAULT_META_PREFIX);
    tx.append(event("device.updated", device.environment_id, data));
    return row.version;
  });
}
