/** An account: it owns ecosystems, can log in, and has quotas. */
import { z } from "zod";
import { idField, textField, timeField } from "./fields.ts";

/** Excludes characters that no address has outside quotes, and invisible ones. */
const ADDRESS = /^[^\s@"(),:;<>[\\\]\p{C}\p{Z}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?$/u;

/** Surrounding space is removed; the address is stored in Unicode NFC. */
const email = z
  .string()
  .trim()
  .normalize("NFC")
  .min(1)
  .max(254)
  .regex(ADDRESS)
  .refine((text) => !/\.\.|\.-|-\./.test(text.slice(text.lastIndexOf("@"))), "has a domain that cannot exist")
  .meta({ description: "Unique without regard to case", example: "ada@example.com", "x-invalid": "Email Invalid" });

/** A malformed value gets the same answer as an unknown one. */
export const anyEmail = z.string().min(1).meta({ "x-invalid": "Email Invalid" });

/** At most 1024 characters: longer than any person's, short enough to hash. */
const password = z.string().min(1).max(1024).meta({ description: "At least 10 characters", format: "password" });

/** A password that is only compared. */
export const knownPassword = z.string().min(1).meta({ format: "password" });

export const newAccount = z.strictObject({ email, password, name: textField(255).optional() });
export type NewAccount = z.output<typeof newAccount>;

export const madeAccount = z
  .object({
    id: idField("acc"),
    email: z.string(),
    createdAt: timeField,
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    userId: idField("usr"),
  })
  .meta({ id: "NewAccount" });
export type MadeAccount = z.output<typeof madeAccount>;

export const account = z
  .object({
    id: idField("acc"),
    email: z.string(),
    emailVerified: z
      .boolean()
      .meta({ description: "Whether the owner has verified that e-mails to the address arrive" }),
    name: z.string().optional(),
    createdAt: timeField,
  })
  .meta({ id: "Account" });
export type Account = z.output<typeof account>;

export const accountChange = z.strictObject({
  name: textField(255).nullable().optional().meta({ description: "null removes it" }),
  email: email.optional().meta({ description: "It must be verified again", "x-invalid": "Email Invalid" }),
  password: password.optional(),
  currentPassword: knownPassword,
});
export type AccountChange = z.output<typeof accountChange>;

/** Without the field, the header `x-current-password` carries the password. */
export const accountErasure = z.strictObject({ currentPassword: knownPassword.optional() });

const exportStates = ["none", "running", "ready", "failed"] as const;

/** The export of all data that the service keeps of an account: at most one at a time. */
export const accountExport = z
  .object({
    id: idField("exp").optional(),
    state: z.enum(exportStates).meta({
      description: "`none`: none was started, or the last one was deleted",
    }),
    startedAt: timeField.optional(),
    endedAt: timeField.optional().meta({ description: "When it became ready, or failed" }),
    expiresAt: timeField.optional().meta({ description: "When the archive is deleted" }),
    bytes: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Size of the archive; while it is made, what there is so far" }),
    downloadPath: z.string().optional().meta({ description: "Path of the archive, when it is ready" }),
    problem: z.enum(["too_large", "failed"]).optional().meta({
      description:
        "Why it failed. `too_large`: the archive would be larger than the operator allows; `failed`: a fault of the service",
    }),
  })
  .meta({ id: "AccountExport" });
export type AccountExport = z.output<typeof accountExport>;

export const exportStart = z.strictObject({ currentPassword: knownPassword });

const code = z
  .string()
  .min(1)
  .meta({ description: "From the e-mail; case and hyphens do not matter", "x-invalid": "Reset Code Invalid" });

export const verification = z.strictObject({ code });
export const passwordReset = z.strictObject({ email: anyEmail });
export const newPassword = z.strictObject({ code, password });
export type NewPassword = z.output<typeof newPassword>;

export const quota = z
  .object({
    name: z.string().meta({ description: "What is counted, and in which container", example: "devicesPerEnvironment" }),
    used: z.int().meta({ description: "In the fullest container that the caller can access" }),
    limit: z.int(),
  })
  .meta({ id: "Quota" });
export type Quota = z.output<typeof quota>;

/** The limits on numbers of objects, and their current use. */
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
