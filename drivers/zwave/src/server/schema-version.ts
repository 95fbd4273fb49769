/** Selects the schema version: the newest that both sides support. Pure. */
import type { Greeting } from "./messages.ts";

/** Oldest version with the endpoint of a notification and the text of an error: zwave-js-server 1.32, October 2023. */
export const OLDEST_SCHEMA = 32;
/** Newest version that the driver was tested with: zwave-js-server 3.10. */
export const NEWEST_SCHEMA = 50;

/** The common version, or the reason why there is none. */
export function agreedSchema({
  minSchemaVersion: oldest,
  maxSchemaVersion: newest,
}: Pick<Greeting, "minSchemaVersion" | "maxSchemaVersion">): number | "too_old" | "too_new" {
  if (newest < OLDEST_SCHEMA) return "too_old";
  if (oldest > NEWEST_SCHEMA) return "too_new";
  return Math.min(newest, NEWEST_SCHEMA);
}
