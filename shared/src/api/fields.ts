/** Fields that several resources share: each says what it is, and which named error a missing or wrong one gets. */
import { z } from "zod";
import { type ErrorName, ID_KINDS, type IdPrefix, isId } from "../kernel/index.ts";

/** Under these keys of a field's `meta()` stand the errors of the contract that are its own. */
export interface FieldErrors {
  /** When it is absent, null or "". */
  readonly "x-missing"?: ErrorName;
  /** When it has another type or form. */
  readonly "x-invalid"?: ErrorName;
}

/** An ID of the kind with that prefix. */
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

/** Text. What is not storable is refused before any schema (`strict-json`). @param max characters */
export function textField(max: number) {
  return z.string().max(max);
}

/** `meta` in an answer. */
export const metaField = z
  .record(z.string(), z.unknown())
  .meta({ description: "Free-form; keys under the system metadata prefix (`$.`) are system metadata" });

/** `meta` in a request. Whether it is one is for the rules of metadata to say: any key is legal in it. */
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

/** `ecosystemId` of a request that makes something in one; null and "" are as absent. */
export const ecosystemInput = z
  .string()
  .nullable()
  .optional()
  .meta({ description: "Required for accounts with several ecosystems", "x-invalid": "Ecosystem Invalid" });

/** A reference that must be there, to an environment. */
export const environmentInput = z.string().min(1).meta({
  description: "ID or reference of the environment",
  "x-missing": "Environment Missing",
  "x-invalid": "Environment Invalid",
});

/** Whether it is a name of the IANA database. */
export function isTimeZone(name: string): boolean {
  // An offset is no zone: it knows of no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
