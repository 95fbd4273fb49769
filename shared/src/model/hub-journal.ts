/**
 * A hub's journal of the commands to one property, which users request through the cloud: start, end and times of each command, and the
 * newest exchanges of frames on the line. It is apart from the hub's other answers because it is about a device.
 */
import { z } from "zod";
import { INDEX, isEdgeId, isName } from "./device.ts";
import { type Value, valueBreach } from "./value.ts";

/** Possible outcomes of a command on its hub. */
export const HUB_OUTCOMES = ["confirmed", "rejected", "not_applied", "unknown"] as const;
/** Names of the error table that a hub reports. */
export const HUB_FAILURES = ["Device Unreachable", "Device Rejected", "Hub Timeout"] as const;

/** Number of entries of one answer, the newest. */
export const MOST_JOURNAL_ENTRIES = 20;

const time = z.number().min(-8.64e15).max(8.64e15);
const ms = z.number().min(0);
const value = z.custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds");

/** Number of exchanges that a hub keeps for one property, the newest. */
export const MOST_EXCHANGES = 8;
/** Frames of one exchange: tries, copies and answers. */
export const MOST_FRAMES_OF_EXCHANGE = 16;
/** Reported bytes of a frame; the rest of a longer frame is left out. */
export const MOST_FRAME_BYTES = 256;
/** Longest description of a frame, characters. */
export const LONGEST_FRAME_WORDS = 160;
/** Size of all frames reported for one property, as JSON; the oldest are left out, so that it fits one message of the tunnel. */
export const MOST_FRAMES_JSON = 64 * 1024;

/** Whether the hub sent the frame to the device, or received it from there. */
export const FRAME_DIRECTIONS = ["to_device", "from_device"] as const;

export const lineFrame = z.object({
  /** Time by the hub's clock. */
  at: time,
  direction: z.enum(FRAME_DIRECTIONS),
  /** Size of the whole frame on the line; 0 for a damaged frame, of which no bytes are kept. */
  bytes: z.int().min(0).max(16_384),
  hex: z
    .string()
    .regex(/^(?:[0-9a-f]{2})*$/)
    .max(2 * MOST_FRAME_BYTES),
  says: z.string().max(LONGEST_FRAME_WORDS),
});
export type LineFrame = z.output<typeof lineFrame>;

export const keptExchange = z.object({
  kind: z.enum(["read", "write", "report"]),
  /** The command that the exchange carries out. */
  command: z.string().max(64).optional(),
  /** The value that the device reported; absent when it reported none. */
  value: value.optional(),
  frames: z.array(lineFrame).max(MOST_FRAMES_OF_EXCHANGE),
});
export type KeptExchange = z.output<typeof keptExchange>;

/** `off`: frames are disabled on the hub. `since`: wall-clock ms of the hub since which it keeps them. Newest exchange first. */
export const keptFrames = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  z.object({
    kind: z.literal("kept"),
    since: time,
    exchanges: z.array(keptExchange).max(MOST_EXCHANGES),
  }),
]);
export type KeptFrames = z.output<typeof keptFrames>;

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
