/** The front of the publisher of the hub's own devices on an MQTT broker: its own entry so that a hub without one loads none of it. */
import type { MqttSettings } from "@porchlight/driver-mqtt";
import { openByMqttJs } from "@porchlight/driver-mqtt/broker";
import { Publisher, type PublisherDeps } from "./publisher.ts";
import { hubAvailabilityTopic } from "./topics.ts";

export type { Publisher } from "./publisher.ts";

/** The prefix of discovery topics when the settings have none. */
const DEFAULT_PREFIX = "homeassistant";

/** Starts to publish the devices, as soon as the broker can be reached. */
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
