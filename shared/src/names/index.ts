/** What a device, a zone or a hub is called where people read of it: in the portal, in alerts and in e-mails. Browsers take it too, so it has no schema. */

export { matterVendor } from "./matter-vendors.ts";

/** What is called something, as the API answers it under the usual metadata prefix. */
export interface Named {
  readonly id: string;
  readonly alias?: string | null | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The key of metadata under which names stand: of a device its own name for itself, until somebody gives it another. */
export const NAME_KEY = "$.name";

/** The name in its metadata, else its alias, else its ID. */
export function nameOf({ id, alias, meta }: Named): string {
  return givenName(meta) ?? alias ?? id;
}

/** The name in metadata, without blanks around it; undefined when there is none. */
export function givenName(meta: Named["meta"]): string | undefined {
  const name = meta?.[NAME_KEY];
  return typeof name === "string" && name.trim() !== "" ? name.trim() : undefined;
}
