/** `drivers.mqtt`: one broker, and the dialects that its programs use. */
import { admit, filledText, isWithoutUser } from "@porchlight/driver-kit/settings";
import { secret } from "@porchlight/shared/settings";
import { z } from "zod";

/** A topic, or the beginning of one: no wildcard, no empty level at either end. */
const baseTopic = z
  .string()
  .max(256)
  .regex(/^[^/+#\0](?:[^+#\0]*[^/+#\0])?$/, "must be a topic without wildcards, such as zigbee2mqtt");

export const mqttSettings = z.object({
  broker: z
    .url({ protocol: /^mqtts?$/, error: "must be an address such as mqtt://127.0.0.1:1883 or mqtts://broker.home" })
    .refine(isWithoutUser, "must be an address without a user name or password: these are separate settings"),
  user: filledText.optional(),
  password: secret().optional(),
  ca: filledText.optional(),
  admit,
  zigbee2mqtt: z.array(baseTopic).max(16).default(["zigbee2mqtt"]),
  homeAssistant: z.array(baseTopic).max(16).default(["homeassistant"]),
  tasmota: z.boolean().default(true),
  birth: z.boolean().default(false),
  publish: z.boolean().default(false),
});

export type MqttSettings = z.output<typeof mqttSettings>;
