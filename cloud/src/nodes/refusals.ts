/** A named error on its way from one node to another: its own file, because an answer can hold several. */
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

/** The error as the other node threw it. */
export function errorOfNode({ name, detail, extras }: z.infer<typeof nodeRefusal>): NamedError {
  return new NamedError(name, detail, extras as ErrorExtras);
}
