/** An account: who owns ecosystems and logs in. */
import { z } from "zod";
import { idField, textField, timeField } from "./fields.ts";

const email = z
  .string()
  .min(1)
  .max(254)
  .regex(/^[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}]+@[^\s@"(),:;<>[\\\]\p{Cc}\p{Cs}]+$/u)
  .meta({ description: "Unique without regard to case", "x-invalid": "Email Invalid" });

/** Longer than any person's, short enough to hash. */
const password = z.string().min(1).max(1024).meta({ description: "At least 10 characters", format: "password" });

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
  .object({ id: idField("acc"), email: z.string(), name: z.string().optional(), createdAt: timeField })
  .meta({ id: "Account" });
export type Account = z.output<typeof account>;
