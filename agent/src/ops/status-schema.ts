/**
 * The output of `porchlight-agent status --json`: one schema for the agent that reports it and the command that shows it. It is built on
 * first use: the agent itself never parses its own status.
 */
import { hubDriver } from "@porchlight/shared/model";
import { z } from "zod";

const time = z.number();

const pairingStatus = z.lazy(() =>
  z.discriminatedUnion("state", [
    z.object({ state: z.literal("asking"), problem: z.string().optional() }),
    z.object({
      state: z.literal("waiting"),
      problem: z.string().optional(),
      userCode: z.string(),
      verificationUri: z.string(),
      verificationUriComplete: z.string(),
    }),
    z.object({ state: z.literal("denied") }),
    z.object({ state: z.literal("paired"), clientId: z.string(), environmentId: z.string() }),
  ]),
);
export type PairingSummary = z.infer<typeof pairingStatus>;

export const agentStatus = z.lazy(() =>
  z.object({
    version: z.string(),
    pid: z.int(),
    edgeId: z.string(),
    cloud: z.string(),
    /** Whether there is a client token. */
    paired: z.boolean(),
    /** The state of pairing while the hub asks to be paired, and its result. */
    pairing: pairingStatus.optional(),
    startedAt: time,
    tunnel: z.object({
      state: z.enum(["unpaired", "connecting", "opening", "online", "leaving", "waiting", "stopped"]),
      since: time,
      /** Whether the lease is live, as the hub sees it: commands are executed. */
      live: z.boolean(),
      epoch: z.int().optional(),
      /** When a waiting hub tries again, or when a hub leaves after a goaway. */
      until: time.optional(),
      /** The reason for waiting: `retry`, `superseded`, `rejected`. */
      reason: z.string().optional(),
      /** How the last connection, or attempt at one, ended. */
      after: z.string().optional(),
      roundTripMs: z.number().optional(),
      /** How long the cloud stopped reading from this hub between the last two heartbeats, because the hub exceeded its budget. */
      slowedMs: z.number().optional(),
      welcomes: z.int(),
      counts: z.record(z.string(), z.int()),
    }),
    queue: z.object({
      records: z.int(),
      bytes: z.int(),
      lastNumber: z.int(),
      acknowledged: z.int(),
      /** Values dropped because a newer one waits. */
      droppedValues: z.int(),
      /** Events, and reports on a full disk, that devices were asked to hold back. */
      refusedEvents: z.int(),
      refusedReports: z.int(),
      /** Values that were read and could not be stored: the gap in the history. */
      gaps: z.int(),
      /** Changes that history could not record: gaps of their properties. */
      notRecorded: z.int().default(0),
      full: z.boolean(),
    }),
    disk: z.object({
      /** Free space of the disk with the data folder; left out where the system does not report it. */
      freeBytes: z.number().optional(),
      totalBytes: z.number().optional(),
      databaseBytes: z.number(),
      /** The disk was full recently: the remaining space is reserved for commands. */
      short: z.boolean(),
      /** Damaged databases that were set aside, newest first. */
      damaged: z.array(z.string()),
    }),
    clock: z.object({
      /** How far the system's clock is ahead of the cloud's, ms; left out until the cloud has sent its time. */
      skewMs: z.number().optional(),
      /**
       * The source of the time: `system`, `cloud` (the system's is wrong), `guessed` (the system's is earlier than a time the hub has
       * stored).
       */
      source: z.enum(["system", "cloud", "guessed"]),
    }),
    /** Commands and reads that wait or run. */
    commandsWaiting: z.int(),
    /** Scenes that the hub stores, and those that it calls by time or sun. */
    scenes: z
      .object({
        stored: z.int(),
        timed: z.int(),
        /** When the next one is due. */
        next: time.optional(),
        /** The reason why the hub calls no scene by time. */
        hindrance: z
          .discriminatedUnion("kind", [
            z.object({ kind: z.literal("clock") }),
            z.object({ kind: z.literal("zone"), zone: z.string() }),
          ])
          .optional(),
        /** Since the start: scenes that the hub called by itself, and due scenes that it did not call. */
        called: z.int(),
        refused: z.int(),
      })
      .optional(),
    /** The API at home, if it is enabled: its address, or the reason why it is not served. */
    localApi: z.object({ url: z.string().optional(), failure: z.string().optional() }).optional(),
    devices: z.array(
      z.object({
        edgeId: z.string(),
        name: z.string().optional(),
        transport: z.string().optional(),
        live: z.boolean(),
      }),
    ),
    /** The overview of each driver. */
    drivers: z.array(hubDriver).default([]),
    /** Each link with its driver's status. */
    links: z.array(z.object({ name: z.string(), detail: z.unknown().optional() })),
  }),
);

export type AgentStatus = z.infer<typeof agentStatus>;
