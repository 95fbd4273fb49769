/** The text about every error for readers of the documentation. The record is exhaustive: an error name without a text does not compile. */

import { CREDENTIAL_TEXTS } from "./credentials.ts";
import { DEVICE_TEXTS, type ErrorText } from "./devices.ts";
import { ERRORS, type ErrorName } from "./errors.ts";
import { OBJECT_TEXTS } from "./objects.ts";
import { REQUEST_TEXTS } from "./requests.ts";

export type { ErrorExample, ErrorText } from "./devices.ts";

const SLUGS: ReadonlyMap<string, string> = new Map(
  Object.keys(ERRORS).map((name) => [name, name.toLowerCase().replaceAll(" ", "-")]),
);

const TEXTS: Readonly<Record<ErrorName, ErrorText>> = {
  ...REQUEST_TEXTS,
  ...OBJECT_TEXTS,
  ...CREDENTIAL_TEXTS,
  ...DEVICE_TEXTS,
};

/** The text of a name. */
export function textOfError(name: ErrorName): ErrorText {
  return TEXTS[name];
}

/** Path of the page about an error, relative to the service's address: the `type` of a problem. */
export function errorPath(name: ErrorName): string {
  return `/docs/errors/${SLUGS.get(name)}`;
}
