/** Shared by the routes of all objects with alias and metadata: parsing a PUT, and conditional requests. */
import { type ObjectUpdate, objectUpdate } from "@porchlight/shared/api";
import { ifMatch } from "@porchlight/shared/rest";
import { type Caller, type ObjectChange, readAlias, replaceMeta } from "../../access/index.ts";
import { type BodyRule, bodyOf, requireUnchanged } from "../routing/body-rules.ts";
import type { Call } from "../routing/call.ts";

/** The body of a PUT: alias and meta; read-only fields may be sent back unchanged. @param readOnly further fields of the resource */
export function updateBody(readOnly: readonly string[], ignored: readonly string[] = []): BodyRule<ObjectUpdate> {
  return bodyOf(objectUpdate, { readOnly: ["id", "createdAt", ...readOnly], ignored });
}

/**
 * The change that a PUT requests.
 * @param maintained metadata that the service maintains for a physical device: see `replaceMeta`
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

/** Checks the read-only fields of a PUT; fetches the stored object only when there are any. */
export async function requireReadBack<P extends string>(
  call: Call<Caller, ObjectUpdate, P>,
  stored: () => Promise<object>,
): Promise<void> {
  if (Object.keys(call.readBack).length > 0) requireUnchanged(call.readBack, await stored());
}
