/** What a supervisor and its workers say to each other over the channel of their processes: the file of schemas that reads as its specification. */
import { z } from "zod";

/** Of a worker. */
export const fromWorker = z.discriminatedUnion("kind", [
  /** It accepts requests from now on, at that address. */
  z.strictObject({ kind: z.literal("listening"), url: z.string() }),
  /** Its own metrics, as it was asked under that number. */
  z.strictObject({ kind: z.literal("metrics"), id: z.number(), text: z.string() }),
  /** Somebody reads the metrics at this worker: all are to be told. */
  z.strictObject({ kind: z.literal("gather"), id: z.number() }),
]);

/** To a worker. */
export const toWorker = z.discriminatedUnion("kind", [
  /** It must end in order. */
  z.strictObject({ kind: z.literal("drain") }),
  z.strictObject({ kind: z.literal("metrics?"), id: z.number() }),
  /** The metrics of all, as it was asked under that number. */
  z.strictObject({ kind: z.literal("gathered"), id: z.number(), text: z.string() }),
]);

export type FromWorker = z.infer<typeof fromWorker>;
export type ToWorker = z.infer<typeof toWorker>;
