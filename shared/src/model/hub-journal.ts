/**
 * A hub's journal of the commands to one property, which users request through the cloud: start, end and times of each command. Its own
 * file because it is about a device, and the hub's other answers are about the hub.
 */
import { z } from "zod";
import { valueBreach } from "./bounded-value.ts";
import { INDEX, isEdgeId, isName } from "./device.ts";
import { keptFrames, type Value } from "./line-frames.ts";

/** Possible outcomes of a command on its hub. */
export const HUB_OUTCOMES = ["confirmed", "rejected", "not_applied", "unknown"] as const;
/** Names of the error table that a hub reports. */
export const HUB_FAILURES = ["Device Unreachable", "Device Rejected", "Hub Timeout"] as const;

/** Number of entries of one answer, the newest. */
export const MOST_JOURNAL_ENTRIES = 20;

const time = z.number().min(-8.64e15).max(8.64e15);
const ms = z.number().min(0);
const value = z.custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds");

/** Where a hub's time with a command went, ms: waiting for its turn, writing the journal, waiting for the device. */
export const hubHops = z.object({ turn: ms.optional(), journal: ms.optional(), device: ms.optional() });
export type HubHops = z.output<typeof hubHops>;

export const journalQuestion = z.object({
  ask: z.literal("journal"),
  device: z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64"),
  service: z.string().refine(isName),
  index: z.string().regex(INDEX),
  property: z.string().refine(isName),
});
export type JournalQuestion = z.output<typeof journalQuestion>;

export const hubJournalEntry = z.object({
  command: z.string().max(64),
  requested: value,
  /** The command came through the hub's own API; `by` is the owner's name for the token. */
  isLocal: z.literal(true).optional(),
  by: z.string().max(256).optional(),
  /** By the hub's clock, when the entry was created; absent in entries of an older agent. */
  begunAt: time.optional(),
  /** Absent while the command runs. */
  end: z
    .object({
      outcome: z.enum(HUB_OUTCOMES),
      at: time,
      failure: z
        .object({ name: z.enum(HUB_FAILURES), detail: z.string().max(1024), code: z.int().min(0).optional() })
        .optional(),
    })
    .optional(),
  hops: hubHops.optional(),
});
export type HubJournalEntry = z.output<typeof hubJournalEntry>;

/** `isCut`: the last 24 h may have older entries that were left out. Newest first. */
export const hubJournal = z.object({
  isCut: z.boolean(),
  items: z.array(hubJournalEntry).max(MOST_JOURNAL_ENTRIES),
  /** Frames on the line for the property; absent from an older agent, which does not keep them. */
  line: keptFrames.optional(),
});
export type HubJournal = z.output<typeof hubJournal>;
