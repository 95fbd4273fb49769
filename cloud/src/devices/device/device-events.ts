/** Events about a device, made inside the write job of their cause from the rows as that job leaves them. */
import { event } from "../../events/index.ts";
import type { Transaction } from "../../store/index.ts";
import type { Hub } from "../../tunnels/index.ts";
import { deviceConnection, deviceResource } from "./device-resource.ts";
import { readDevice } from "./device-row.ts";

export type DeviceEvent = "device.added" | "device.updated" | "device.online" | "device.offline" | "device.claimed";

/**
 * Appends an event with the device as it now is.
 * @param hub whose word it is: while it speaks it is there
 */
export async function appendDeviceEvent(
  tx: Transaction,
  hub: Hub,
  deviceId: string,
  type: DeviceEvent,
  more?: object,
): Promise<void> {
  const device = await readDevice(tx, hub.ecosystemId, deviceId);
  if (!device) return;
  const connection = deviceConnection(device, { state: "online", since: device.online_since });
  tx.append(event(type, device.environment_id, { ...deviceResource(device, connection), ...more }));
}
