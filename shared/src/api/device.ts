/** A device: physical, reached through a hub, or virtual. */
import { z } from "zod";
import { aliasField, aliasInput, environmentInput, idField, metaField, metaInput, timeField } from "./fields.ts";
import { newService } from "./service.ts";

export const deviceConnection = z
  .object({
    state: z.enum(["online", "offline", "unknown"]).meta({ description: "`unknown` while its hub is offline" }),
    since: timeField,
    lastSeenAt: timeField.optional().meta({
      description: "The latest time at which its hub reported it online or offline, or it confirmed a value",
    }),
  })
  .meta({ id: "DeviceConnection" });
export type DeviceConnection = z.output<typeof deviceConnection>;

export const deviceType = z.enum(["physical", "virtual"]);

export const device = z
  .object({
    id: idField("dev"),
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    type: deviceType,
    edgeId: z.string().optional().meta({ description: "Of a physical device", example: "00-1B-44-11-3A-B7" }),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
    clientId: idField("cli").optional().meta({ description: "The hub through which it is reached" }),
    connection: deviceConnection.optional(),
  })
  .meta({ id: "Device" });
export type Device = z.output<typeof device>;

/** The request that creates a virtual device. Physical devices come from hubs. */
export const newDevice = z.strictObject({
  environmentId: environmentInput,
  alias: aliasInput,
  meta: metaInput,
  services: z
    .array(newService)
    .min(1)
    .max(64)
    .meta({ description: "The services of the device; what is left out of a standard class comes from the catalogue" }),
});
export type NewDevice = z.output<typeof newDevice>;
