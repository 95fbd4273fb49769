/** A device: physical, reached through a hub, or virtual. */
import { z } from "zod";
import { aliasField, idField, metaField, timeField } from "./fields.ts";

export const deviceConnection = z
  .object({
    state: z.enum(["online", "offline", "unknown"]).meta({ description: "`unknown` while its hub is offline" }),
    since: timeField,
    lastSeenAt: timeField.optional(),
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
    clientId: idField("cli").optional().meta({ description: "The hub it is reached through" }),
    connection: deviceConnection.optional(),
  })
  .meta({ id: "Device" });
export type Device = z.output<typeof device>;
