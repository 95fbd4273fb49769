/** Devices behind an MQTT broker: the driver as the agent lists it, with its settings. The driver's code is loaded when it starts. */
import type { BuiltInDriver } from "@porchlight/driver-kit";
import { mqttSettings } from "./settings.ts";

export type { MqttSettings } from "./settings.ts";

export const mqtt: BuiltInDriver<typeof mqttSettings> = {
  settings: mqttSettings,
  shown: ({ broker }) => broker.replace("://", " "),
  start: async (settings, around) => (await import("./start.ts")).mqttDriver(settings, around),
};
