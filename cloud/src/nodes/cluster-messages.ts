/** What one node tells the others with each commit: the file of schemas that reads as the specification of these messages. */
import { z } from "zod";

/** A value that is stored now: what a node that has the environment in memory puts in the place of the one before. */
const valueNote = z.strictObject({
  kind: z.literal("value"),
  environmentId: z.string(),
  deviceId: z.string(),
  key: z.string(),
  value: z.string(),
  number: z.number(),
  modifiedAt: z.number(),
  observedAt: z.number(),
});

/** What has ended: see `Revocation` of the module access. */
const revocationMessage = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("token"), tokenId: z.string(), subjectId: z.string() }),
  z.strictObject({ kind: z.enum(["subject", "access", "environment", "ecosystem"]), subjectId: z.string() }),
]);

const note = z.discriminatedUnion("kind", [
  valueNote,
  /** An environment must be read anew. */
  z.strictObject({ kind: z.literal("environment"), environmentId: z.string() }),
  /** References of the ecosystem may mean something else. */
  z.strictObject({ kind: z.literal("references") }),
  /** Its hubs must be told what their devices are called. */
  z.strictObject({ kind: z.literal("names"), environmentId: z.string() }),
  /** A command waits for the hub. */
  z.strictObject({ kind: z.literal("queue"), clientId: z.string() }),
  /** The hub must be asked what became of its open commands. */
  z.strictObject({ kind: z.literal("recover"), clientId: z.string() }),
  /** A newer connection of the hub stands. */
  z.strictObject({ kind: z.literal("tunnel"), clientId: z.string(), epoch: z.number() }),
  z.strictObject({ kind: z.literal("ending"), ending: revocationMessage }),
]);

/** One transaction of one ecosystem; `ecosystemId` is "" and there is no version for what belongs to none. */
export const clusterMessage = z.strictObject({
  ecosystemId: z.string(),
  /** Counts the transactions of the ecosystem, without a gap. */
  version: z.number().optional(),
  /** Of its newest event, when the transaction has new ones. */
  sequence: z.number().optional(),
  notes: z.array(note),
});

export type Note = z.infer<typeof note>;
export type ClusterMessage = z.infer<typeof clusterMessage>;
export type RevocationMessage = z.infer<typeof revocationMessage>;
