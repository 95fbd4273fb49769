/** A named error in transit between nodes: in its own file, because an answer can contain several. */
import { ERRORS, type ErrorExtras, type ErrorName, NamedError } from "@porchlight/shared/kernel";
import { z } from "zod";

export const nodeRefusal = z.strictObject({
  name: z.string().refine((name): name is ErrorName => Object.hasOwn(ERRORS, name)),
  detail: z.string(),
  extras: z.looseObject({}),
});

export function nodeRefusalOf({ name, message, outcome, errors, retryAfter, members, headers, status }: NamedError) {
  return { name, detail: message, extras: { outcome, errors, retryAfter, members, headers, status } };
}

/** Rebuilds the other node's error. */
export function errorOfNode({ name, detail, extras }: z.infer<typeof nodeRefusal>): NamedError {
  return new NamedError(name, detail, extras as ErrorExtras);
}
