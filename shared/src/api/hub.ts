/** A hub itself in the API: its status, checks, log, backups and restart, with the times that `model/hub-maintenance.ts` omits. */
import { z } from "zod";
import { hubCheck, hubLogState, hubState, keptBackup, loggedLine } from "../model/index.ts";
import { timeField } from "./fields.ts";

export {
  CHECK_RESULT_MEANINGS,
  type CheckResult,
  type HubCheck,
  hubCheck,
  LOG_LEVELS,
  type LogLevel,
} from "../model/index.ts";

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

export const hubLogLine = loggedLine
  .extend({
    at: timeField.meta({ description: "By the clock of the hub" }),
    text: z.string().meta({ description: "Without secrets: what is secret is `[redacted]`" }),
  })
  .meta({ id: "HubLogLine" });
export type HubLogLine = z.output<typeof hubLogLine>;

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
export type HubBackup = z.output<typeof hubBackup>;

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
