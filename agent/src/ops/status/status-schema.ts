/**
 * What `porchlight-agent status --json` says: one schema for the agent that tells it and the command that shows it. It is built when it is
 * first used: the agent itself never parses its own status.
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
    /** While the hub asks to be paired, and how that ended. */
    pairing: pairingStatus.optional(),
    startedAt: time,
    tunnel: z.object({
      state: z.enum(["unpaired", "connecting", "opening", "online", "leaving", "waiting", "stopped"]),
      since: time,
      /** Whether the lease is live, as the hub sees it: commands are carried out. */
      live: z.boolean(),
      epoch: z.int().optional(),
      /** When a waiting hub tries again, or one that was sent away leaves. */
      until: time.optional(),
      /** Why it waits: `retry`, `superseded`, `rejected`. */
      reason: z.string().optional(),
      /** How the last connection, or the attempt at one, ended. */
      after: z.string().optional(),
      roundTripMs: z.number().optional(),
      /** For how long the cloud did not read this hub between the last two heartbeats, because it said more than its budget. */
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
      /** Of the disk with the data folder; left out where the system does not say. */
      freeBytes: z.number().optional(),
      totalBytes: z.number().optional(),
      databaseBytes: z.number(),
      /** It took nothing more lately: what is left is kept for commands. */
      short: z.boolean(),
      /** Damaged databases that were kept aside, newest first. */
      damaged: z.array(z.string()),
    }),
    clock: z.object({
      /** The system's clock before the cloud's, ms; left out until the cloud has told its time. */
      skewMs: z.number().optional(),
      /** Whose time is told: `system`, `cloud` (the system's is wrong), `guessed` (it is earlier than what the hub has seen). */
      source: z.enum(["system", "cloud", "guessed"]),
    }),
    /** Commands and reads that wait or run. */
    commandsWaiting: z.int(),
    /** Scenes that the hub stores, and what calls them by time or sun. */
    scenes: z
      .object({
        stored: z.int(),
        timed: z.int(),
        /** When the next one is due. */
        next: time.optional(),
        /** Why no time calls a scene. */
        hindrance: z
          .discriminatedUnion("kind", [
            z.object({ kind: z.literal("clock") }),
            z.object({ kind: z.literal("zone"), zone: z.string() }),
          ])
          .optional(),
        /** Since the start: called by the hub itself, and not called although they were due. */
        called: z.int(),
        refused: z.int(),
      })
      .optional(),
    /** The API at home, where one must be served: its address, or why it is not. */
    localApi: z.object({ url: z.string().optional(), failure: z.string().optional() }).optional(),
    devices: z.array(
      z.object({
        edgeId: z.string(),
        name: z.string().optional(),
        transport: z.string().optional(),
        live: z.boolean(),
      }),
    ),
    /** What people are told of each driver. */
    drivers: z.array(hubDriver).default([]),
    /** Each link with what its driver says of it. */
    links: z.array(z.object({ name: z.string(), detail: z.unknown().optional() })),
  }),
);

export type AgentStatus = z.infer<typeof agentStatus>;
