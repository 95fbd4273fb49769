/**
 * What went over the line between a hub and a device for one property: the frames of its newest exchanges, as a hub that keeps them tells
 * them. Its own file, because the frames are those of our own device protocol only.
 */
import { z } from "zod";
import { valueBreach } from "./bounded-value.ts";
import type { Value } from "./property.ts";

/** Exchanges of one property that a hub keeps, the newest. */
export const MOST_EXCHANGES = 8;
/** Frames of one exchange: tries, copies and answers. */
export const MOST_FRAMES_OF_EXCHANGE = 16;
/** Of a longer frame only the beginning is told, bytes. */
export const MOST_FRAME_BYTES = 256;
/** Longest meaning of a frame, characters. */
export const LONGEST_FRAME_WORDS = 160;
/** Of what is told of one property, as JSON; what does not fit is left out, the oldest first: within one message of the tunnel. */
export const MOST_FRAMES_JSON = 64 * 1024;

/** Whether the hub sent the frame to the device, or got it from there. */
export const FRAME_DIRECTIONS = ["to_device", "from_device"] as const;

export const lineFrame = z.object({
  /** By the hub's clock. */
  at: z.number().min(-8.64e15).max(8.64e15),
  direction: z.enum(FRAME_DIRECTIONS),
  /** Size of the whole frame on the line; 0 of a damaged one, of which nothing is kept. */
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
  /** The command that it carries out. */
  command: z.string().max(64).optional(),
  /** What the device said that the property is; absent when it said nothing. */
  value: z
    .custom<Value>((given) => valueBreach(given) === undefined, "is no JSON value, or one past its bounds")
    .optional(),
  frames: z.array(lineFrame).max(MOST_FRAMES_OF_EXCHANGE),
});
export type KeptExchange = z.output<typeof keptExchange>;

/** `off`: the hub is told to keep none. `since`: wall-clock ms of the hub, from when on it keeps them. The newest exchange first. */
export const keptFrames = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("off") }),
  z.object({
    kind: z.literal("kept"),
    since: z.number().min(-8.64e15).max(8.64e15),
    exchanges: z.array(keptExchange).max(MOST_EXCHANGES),
  }),
]);
export type KeptFrames = z.output<typeof keptFrames>;
