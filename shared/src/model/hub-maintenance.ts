/**
 * Requests that a user makes to a hub itself through the cloud: status, checks, log, a backup, a restart. The hub, its tunnel, the API
 * and all user interfaces share these words. Times are wall-clock ms of the hub.
 */
import { z } from "zod";
import { hubJournal, journalQuestion } from "./hub-journal.ts";

/** Results of a check of `doctor`, shared by the agent, the console, the API and the portal. */
export const CHECK_RESULTS = ["ok", "warning", "failed"] as const;
export type CheckResult = (typeof CHECK_RESULTS)[number];

export const CHECK_RESULT_MEANINGS: Readonly<Record<CheckResult, string>> = {
  ok: "As it should be.",
  warning: "It works, but needs attention.",
  failed: "It does not work.",
};

const shortText = z.string().max(256);
/** Long enough for a path of the file system. */
const longText = z.string().max(4096);
const time = z.number().min(-8.64e15).max(8.64e15);
const bytes = z.number().min(0);
const count = z.int().min(0);

/** Maximum lines of a log in one answer, and their size as JSON, so that they fit one message of the tunnel. */
export const MOST_LOG_LINES = 1000;
export const MOST_LOG_BYTES = 160 * 1024;
/** Longest line, characters; a longer one is cut. */
export const LONGEST_LOG_LINE = 2000;
/** The longest log that can be requested: one day, in minutes. */
export const MOST_LOG_MINUTES = 1440;
/** Backups that a hub keeps in its data folder: a new one replaces the oldest. */
export const MOST_BACKUPS = 5;

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const hubCheck = z
  .object({
    name: longText.meta({ description: "What was checked", example: "disk" }),
    verdict: z.enum(CHECK_RESULTS).meta({ description: "`warning`: it works, but needs attention" }),
    says: longText,
    cure: longText.optional().meta({ description: "What to do; absent when `verdict` is `ok`" }),
  })
  .meta({ id: "HubCheck" });
export type HubCheck = z.output<typeof hubCheck>;

/** Result words of older agents; the tunnel translates them, and no other code knows them. */
const FORMER_RESULTS: Readonly<Record<string, CheckResult>> = { good: "ok", doubtful: "warning", bad: "failed" };

/** A check as a hub of any version sends it. */
const checkOfAnyAgent = hubCheck.extend({
  verdict: z
    .string()
    .transform((word) => FORMER_RESULTS[word] ?? word)
    .pipe(z.enum(CHECK_RESULTS)),
});

export const hubProblem = z
  .object({ name: shortText.meta({ example: "disk_full" }), says: longText, cure: longText })
  .meta({ id: "HubProblem" });

/** A hub's state without its times. */
export const hubState = z.object({
  version: shortText.meta({ description: "Version of the agent" }),
  uptimeMs: z.number().min(0).meta({ description: "How long the agent has been running" }),
  system: shortText.meta({ description: "Operating system and its release", example: "Linux 6.12.0" }),
  architecture: shortText.meta({ example: "arm64" }),
  runtime: shortText.meta({ example: "Node.js 24.11.0" }),
  dataFolder: longText.meta({ description: "Where the agent keeps its data on the hub" }),
  memory: z.object({
    agentBytes: bytes.meta({ description: "What the agent uses" }),
    freeBytes: bytes.meta({ description: "What is free on the machine" }),
    totalBytes: bytes,
  }),
  disk: z.object({
    freeBytes: bytes
      .optional()
      .meta({ description: "Of the disk with the data folder; absent where the system does not say" }),
    totalBytes: bytes.optional(),
    databaseBytes: bytes,
    isFull: z.boolean().meta({ description: "The rest is reserved for commands" }),
  }),
  queue: z.object({
    records: count.meta({ description: "Records that wait to be sent to the cloud" }),
    bytes,
    droppedValues: count.meta({ description: "Values dropped because a newer one is waiting" }),
    gaps: count.meta({ description: "Values that were read but could not be stored" }),
    isFull: z.boolean(),
  }),
  clock: z.object({
    skewMs: z
      .number()
      .optional()
      .meta({ description: "How far the system's clock is ahead of the cloud's; absent until they are compared" }),
    source: z.enum(["system", "cloud", "guessed"]).meta({ description: "The clock that the hub uses" }),
  }),
  commandsWaiting: count,
  localApi: z
    .object({ url: longText.optional(), failure: longText.optional() })
    .optional()
    .meta({ description: "The API at home, if it is turned on: its address, or why it is not served" }),
  restart: z.enum(["service_manager", "in_process"]).meta({
    description:
      "`service_manager`: the agent ends and the service manager starts it again. `in_process`: it starts again in the same process",
  }),
  problems: z.array(hubProblem).max(64).meta({ description: "The problems, most serious first" }),
});

export const loggedLine = z.object({
  at: time,
  level: z.enum(LOG_LEVELS),
  text: z.string().max(LONGEST_LOG_LINE + 1),
});

/** A hub's log without its times. */
export const hubLogState = z.object({
  isKept: z.boolean().meta({ description: "Whether the hub keeps a log of its own: `logBytes` of its settings" }),
  isCut: z.boolean().meta({ description: "Older lines of this period were left out because there are too many" }),
});

export const keptBackup = z.object({ name: shortText, at: time, bytes });

/** A request to a hub. Each is safe to repeat; a second `backup` creates a second one. */
export const maintenanceQuestion = z.lazy(() =>
  z.discriminatedUnion("ask", [
    z.object({ ask: z.literal("status") }),
    z.object({ ask: z.literal("doctor") }),
    z.object({ ask: z.literal("log"), minutes: z.int().min(1).max(MOST_LOG_MINUTES), level: z.enum(LOG_LEVELS) }),
    z.object({ ask: z.literal("backups") }),
    z.object({ ask: z.literal("backup") }),
    z.object({ ask: z.literal("restart") }),
    journalQuestion,
  ]),
);
export type MaintenanceQuestion = z.output<typeof maintenanceQuestion>;

export const maintenanceAnswer = z.lazy(() =>
  z.union([
    /** The hub could not do it; nothing has changed. */
    z.object({ refused: longText }),
    z.object({ status: hubState.extend({ startedAt: time }) }),
    z.object({ doctor: z.object({ items: z.array(checkOfAnyAgent).max(256) }) }),
    z.object({
      log: hubLogState.extend({
        /** Time of the oldest line that the hub has, of any level; absent when it has none. */
        oldestAt: time.optional(),
        /** Oldest first. */
        lines: z.array(loggedLine).max(MOST_LOG_LINES),
      }),
    }),
    z.object({ backups: z.object({ folder: longText, items: z.array(keptBackup).max(256) }) }),
    z.object({ backup: keptBackup.extend({ folder: longText }) }),
    /** The hub restarts now. */
    z.object({ restart: z.object({ uptimeMs: z.number().min(0) }) }),
    z.object({ journal: hubJournal }),
  ]),
);
export type MaintenanceAnswer = z.output<typeof maintenanceAnswer>;
export type HubState = z.output<typeof hubState>;
export type LoggedLine = z.output<typeof loggedLine>;
export type KeptBackup = z.output<typeof keptBackup>;
