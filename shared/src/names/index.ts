/**
 * The displayed name of a device, a zone or a hub: in the portal, in alerts and in e-mails. Browsers import it too, so it has no
 * schema.
 */

export { matterVendor } from "./matter-vendors.ts";

/** A named object, as the API returns it under the usual metadata prefix. */
export interface Named {
  readonly id: string;
  readonly alias?: string | null | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Metadata key of names: for a device, its own name until a user sets another. */
export const NAME_KEY = "$.name";

/** The name in the metadata, else the alias, else the ID. */
export function nameOf({ id, alias, meta }: Named): string {
  return givenName(meta) ?? alias ?? id;
}

/** The trimmed name in metadata; undefined when there is none. */
export function givenName(meta: Named["meta"]): string | undefined {
  const name = meta?.[NAME_KEY];
  return typeof name === "string" && name.trim() !== "" ? name.trim() : undefined;
}
