/** Which version of its schema the server is asked for: the newest that both know. Pure. */
import type { Greeting } from "./messages.ts";

/** With this one a notification has its endpoint, and an error its words: zwave-js-server 1.32, of October 2023. */
export const OLDEST_SCHEMA = 32;
/** The newest with which the driver was tried: zwave-js-server 3.10. */
export const NEWEST_SCHEMA = 50;

/** The version, or why there is none. */
export function agreedSchema({
  minSchemaVersion: oldest,
  maxSchemaVersion: newest,
}: Pick<Greeting, "minSchemaVersion" | "maxSchemaVersion">): number | "too_old" | "too_new" {
  if (newest < OLDEST_SCHEMA) return "too_old";
  if (oldest > NEWEST_SCHEMA) return "too_new";
  return Math.min(newest, NEWEST_SCHEMA);
}
