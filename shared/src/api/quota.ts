/** Quotas: the limits on numbers of objects, and their current use. */
import { z } from "zod";
import { timeField } from "./fields.ts";

export const quota = z
  .object({
    name: z.string().meta({ description: "What is counted, and in which container", example: "devicesPerEnvironment" }),
    used: z.int().meta({ description: "In the fullest container that the caller can access" }),
    limit: z.int(),
  })
  .meta({ id: "Quota" });
export type Quota = z.output<typeof quota>;

export const quotaList = z.object({ items: z.array(quota) }).meta({ id: "Quotas" });

/** Kinds of data that take space in the database, in their display order. */
export const STORAGE_KINDS = [
  ...([
    "objects",
    "events",
    "keptAnswers",
    "history",
    "commands",
    "deliveries",
    "audit",
    "requests",
    "exports",
  ] as const),
];
export type StorageKind = (typeof STORAGE_KINDS)[number];

const storageOfKind = z
  .object({
    kind: z.enum(STORAGE_KINDS).meta({ description: "`keptAnswers`: those of idempotency keys" }),
    bytes: z.int(),
  })
  .meta({ id: "StorageOfKind" });

/** Space that the data of an account takes in the database. */
export const usage = z
  .object({
    items: z.array(storageOfKind),
    bytes: z.int().meta({ description: "Of all kinds" }),
    limitBytes: z.int().meta({ description: "The quota `megabytesPerAccount`, in bytes" }),
    measuredAt: timeField,
  })
  .meta({ id: "Usage" });
export type Usage = z.output<typeof usage>;
