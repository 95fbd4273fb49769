/**
 * A hub: its client, which is the installed agent; and its status, checks, log, backups, restart and drivers, with the times that `model`
 * omits.
 */
import { z } from "zod";
import { hubCheck, hubDriver, hubLogState, hubState, keptBackup, loggedLine, matterBridge } from "../model/index.ts";
import {
  aliasField,
  aliasInput,
  environmentInput,
  idField,
  metaField,
  metaInput,
  textField,
  timeField,
} from "./fields.ts";

export {
  CHECK_RESULT_MEANINGS,
  type CheckResult,
  type HubCheck,
  type HubDriver,
  type HubSetup,
  hubCheck,
  hubDriver,
  hubSetup,
  LOG_LEVELS,
  type LogLevel,
  type MatterBridge,
  matterBridge,
} from "../model/index.ts";

const clientConnection = z
  .object({
    state: z.enum(["online", "offline", "unknown"]),
    since: timeField,
    lastSeenAt: timeField
      .optional()
      .meta({ description: "When the service last received something from it; advances while it is online" }),
    agentVersion: z.string().optional(),
    storesScenes: z.boolean().optional().meta({
      description:
        "Whether its agent stores scenes and carries out their triggers, as its newest connection said. Absent if none has said so",
    }),
    reason: z.string().optional().meta({ description: "Why it is not connected" }),
    roundTripMs: z.number().optional(),
    clockSkewMs: z.number().optional(),
    reconnects24h: z.int().optional(),
    queuedReports: z.int().optional(),
  })
  .meta({ id: "ClientConnection" });

/** A client: an installed thing that acts for an environment; here, the agent on a home hub. */
export const client = z
  .object({
    id: idField("cli"),
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
    edgeId: z.string().optional(),
    connection: clientConnection,
  })
  .meta({ id: "Client" });
export type Client = z.output<typeof client>;

export const newClient = z.strictObject({ environmentId: environmentInput, alias: aliasInput, meta: metaInput });
export type NewClient = z.output<typeof newClient>;

export const hubStatus = hubState
  .extend({
    startedAt: timeField.meta({ description: "When the agent started, by the clock of the hub" }),
    observedAt: timeField.meta({ description: "When the hub said so, by the clock of the service" }),
  })
  .meta({ id: "HubStatus" });
export type HubStatus = z.output<typeof hubStatus>;

export const hubDoctor = z
  .object({
    observedAt: timeField.meta({ description: "When the hub had checked, by the clock of the service" }),
    items: z.array(hubCheck),
  })
  .meta({ id: "HubDoctor" });
export type HubDoctor = z.output<typeof hubDoctor>;

const hubLogLine = loggedLine
  .extend({
    at: timeField.meta({ description: "By the clock of the hub" }),
    text: z.string().meta({ description: "Without secrets: what is secret is `[redacted]`" }),
  })
  .meta({ id: "HubLogLine" });

export const hubLog = hubLogState
  .extend({
    observedAt: timeField.meta({ description: "When the hub had answered, by the clock of the service" }),
    oldestAt: timeField
      .optional()
      .meta({ description: "Time of the oldest line that the hub still has, of any level" }),
    items: z.array(hubLogLine).meta({ description: "Oldest first" }),
  })
  .meta({ id: "HubLog" });
export type HubLog = z.output<typeof hubLog>;

export const hubBackup = keptBackup
  .omit({ at: true })
  .extend({
    name: z.string().meta({ description: "Name of the file on the hub", example: "hub-2026-11-21T16-59-22Z.backup" }),
    createdAt: timeField.meta({ description: "When it was made, by the clock of the hub" }),
  })
  .meta({ id: "HubBackup" });

const folder = z.string().meta({ description: "The folder on the hub", example: "/var/lib/porchlight-agent/backups" });

export const newHubBackup = hubBackup.extend({ folder }).meta({ id: "NewHubBackup" });
export type NewHubBackup = z.output<typeof newHubBackup>;

export const hubBackupList = z
  .object({ folder, items: z.array(hubBackup).meta({ description: "Newest first" }) })
  .meta({ id: "HubBackupList" });
export type HubBackupList = z.output<typeof hubBackupList>;

export const hubRestart = z
  .object({
    acceptedAt: timeField.meta({ description: "When the hub had accepted, by the clock of the service" }),
    uptimeMs: z.number().min(0).meta({ description: "How long the agent had been running before this restart" }),
  })
  .meta({ id: "HubRestart" });
export type HubRestart = z.output<typeof hubRestart>;

export const hubDriverList = z
  .object({
    items: z.array(hubDriver),
    matterBridge: matterBridge
      .optional()
      .meta({ description: "The program that shows the hub's devices to Matter controllers, while it runs" }),
  })
  .meta({ id: "HubDriverList" });
export type HubDriverList = z.output<typeof hubDriverList>;

export const newSetup = z.strictObject({
  kind: textField(64).meta({ description: "One of the `setups` of the hub's drivers", example: "zigbee" }),
});

export const setupAnswer = z.strictObject({
  answer: textField(1024).meta({ description: "The answer of the person; for a `choice`, one of its `choices`" }),
});
