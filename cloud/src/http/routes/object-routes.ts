/** What the routes of every object with alias and metadata have in common: how a PUT is read and how a GET is conditional. */
import { type ObjectUpdate, objectUpdate } from "@porchlight/shared/api";
import { type Caller, type ObjectChange, readAlias, replaceMeta } from "../../access/index.ts";
import { type BodyRule, bodyOf, requireUnchanged } from "../routing/body-rules.ts";
import type { Call } from "../routing/call.ts";
import { ifMatch } from "../routing/conditions.ts";

/** The body of a PUT: alias and meta, and what was read may be written back. @param readOnly further fields of the resource */
export function updateBody(readOnly: readonly string[], ignored: readonly string[] = []): BodyRule<ObjectUpdate> {
  return bodyOf(objectUpdate, { readOnly: ["id", "createdAt", ...readOnly], ignored });
}

/**
 * What a PUT asks to change.
 * @param maintained what the service itself says of a physical device: see `replaceMeta`
 * @throws "Alias Invalid", "Metadata Prefix Invalid"; in the write job "Metadata Format Invalid"
 */
export function readChange<P extends string>(
  call: Call<Caller, ObjectUpdate, P>,
  maintained?: Readonly<Record<string, unknown>>,
): ObjectChange {
  const { metaPrefix } = call;
  const { meta } = call.body;
  return {
    alias: readAlias(call.body.alias),
    ...(meta !== undefined && { meta: (stored: string) => replaceMeta(stored, meta, metaPrefix, maintained) }),
    matches: ifMatch(call.header("if-match")),
  };
}

/** Compares the read-only fields that came with a PUT; what is stored is fetched only when there are any. */
export async function requireReadBack<P extends string>(
  call: Call<Caller, ObjectUpdate, P>,
  stored: () => Promise<object>,
): Promise<void> {
  if (Object.keys(call.readBack).length > 0) requireUnchanged(call.readBack, await stored());
}
