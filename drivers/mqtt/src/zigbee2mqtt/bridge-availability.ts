/** Which topics of zigbee2mqtt say whether a device can be reached, and what their messages mean. */
import type { MqttAvailability } from "../device/mqtt-device.ts";
import type { Payload } from "../device/payload.ts";

/** When zigbee2mqtt connects again it says its own state only, and what a device is when that changes. */
export function availabilityBy(bridge: string, device: string | undefined): MqttAvailability {
  const own = device === undefined ? [] : [{ topic: device, read: isOnline, isLasting: true }];
  return { mode: "all", topics: [{ topic: bridge, read: isOnline }, ...own] };
}

/** The word, or an object with it as `state`. */
function isOnline({ text, object }: Payload): boolean | undefined {
  const word = object ? object.state : text;
  if (word === "online") return true;
  return word === "offline" ? false : undefined;
}
