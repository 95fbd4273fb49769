/** The one "Device Not Found" of this module: a reference was good, and the device went before it could be used. */
import type { NamedError } from "@porchlight/shared/kernel";
import { referenceNotFound } from "../../access/index.ts";

export function deviceNotFound(): NamedError {
  return referenceNotFound("dev");
}
