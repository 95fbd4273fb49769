/** The hub's own devices on an MQTT broker, put together: its own entry so that a hub that publishes none loads nothing of it. */
import type { MqttSettings } from "@porchlight/driver-mqtt";
import { openByMqttJs } from "@porchlight/driver-mqtt/broker";
import { hubAvailabilityTopic } from "./messages/topics.ts";
import { Publisher, type PublisherDeps } from "./running/publisher.ts";

export type { Publisher } from "./running/publisher.ts";

/** Told where the settings name no prefix of discovery topics. */
const DEFAULT_PREFIX = "homeassistant";

/** Begins to tell the devices, as soon as the broker can be reached. */
export function publishDevices(
  settings: MqttSettings,
  deps: Omit<PublisherDeps, "broker" | "open" | "prefix">,
): Publisher {
  const { broker, user, password, ca, homeAssistant } = settings;
  const will = { topic: hubAvailabilityTopic(deps.edgeId), payload: "offline", qos: 1, retain: true } as const;
  const clientId = `porchlight-${deps.edgeId}-publish`;
  return Publisher.start({
    ...deps,
    broker: broker.replace("://", " "),
    open: openByMqttJs({ url: broker, user, password, ca, clientId, will }),
    prefix: homeAssistant[0] ?? DEFAULT_PREFIX,
  });
}
