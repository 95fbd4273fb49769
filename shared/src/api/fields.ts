/**
 * What several resources share: fields, each with its schema, its description and the named errors of a missing or wrong value; and the
 * body of every error (RFC 9457), from every origin.
 */
import { z } from "zod";
import { ERRORS, type ErrorName, ID_KINDS, type IdPrefix, isId } from "../kernel/index.ts";

/** Schema of an ID with this prefix. */
export function idField<P extends IdPrefix>(prefix: P) {
  return z
    .string()
    .refine((text): boolean => isId(prefix, text))
    .meta({
      description: `ID of the ${ID_KINDS[prefix]}`,
      pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
      example: `${prefix}_01h455vb4pex5vsknk084sn02q`,
    });
}

/** A time in an answer. */
export const timeField = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}Z$/)
  .meta({ description: "UTC", example: "2026-11-05 14:03:07Z" });

/** A time of day. */
export const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  .meta({ description: "Hours and minutes, by the clock of the time zone", example: "22:00" });

/** A time zone. */
export const timeZoneField = z.string().max(64).refine(isTimeZone, "is no time zone of the IANA database").meta({
  description: "By its IANA name",
  example: "Europe/Berlin",
});

/** Schema of a text. `parseStrictJson` rejects unstorable text before any schema runs. @param max characters */
export function textField(max: number) {
  return z.string().max(max);
}

/** `meta` in an answer. */
export const metaField = z
  .record(z.string(), z.unknown())
  .meta({ description: "Free-form; keys under the system metadata prefix (`$.`) are system metadata" });

/** `meta` in a request. Accepts any value: the metadata rules validate it, because every key is legal in it. */
export const metaInput = z
  .unknown()
  .optional()
  .meta({
    type: ["object", "null"],
    description: "Replaces the whole object; null removes it",
    "x-invalid": "Metadata Format Invalid",
  });

/** `alias` in an answer. */
export const aliasField = z.string().optional();

/** `alias` in a request; null removes it. */
export const aliasInput = z
  .string()
  .nullable()
  .optional()
  .meta({ description: "1 to 128 characters; null removes it", "x-invalid": "Alias Invalid" });

/** `ecosystemId` of a request that creates an object in an ecosystem; null and "" count as absent. */
export const ecosystemInput = z
  .string()
  .nullable()
  .optional()
  .meta({ description: "Required for accounts with several ecosystems", "x-invalid": "Ecosystem Invalid" });

/** A required reference to an environment. */
export const environmentInput = z.string().min(1).meta({
  description: "ID or reference of the environment",
  "x-missing": "Environment Missing",
  "x-invalid": "Environment Invalid",
});

/** Whether the name is in the IANA time zone database. */
export function isTimeZone(name: string): boolean {
  // Reject offsets: they have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Most entries of `errors`. */
export const MOST_ERRORS = 20;

export const problem = z
  .looseObject({
    type: z.string().meta({ description: "A URL under /docs/errors/" }),
    title: z.enum(Object.keys(ERRORS).filter(isErrorName)).meta({ description: "The error's name" }),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: "What was wrong and what to do" }),
    instance: z.string().meta({ description: "The request id" }),
    errors: z
      .array(z.object({ pointer: z.string().meta({ description: "JSON pointer (RFC 6901)" }), message: z.string() }))
      .max(MOST_ERRORS)
      .optional()
      .meta({ description: "What is wrong in the body: the first places" }),
    moreErrors: z
      .int()
      .min(1)
      .optional()
      .meta({ description: "How many places are wrong in addition to those in `errors`" }),
    retryable: z.boolean().optional(),
    outcome: z.enum(["confirmed", "rejected", "not_sent", "not_applied", "unknown"]).optional(),
  })
  .meta({ id: "Problem" });

function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(ERRORS, name);
}

export type Problem = z.output<typeof problem>;
