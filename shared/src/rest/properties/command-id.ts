/** `x-command-id`: the ID of a write's command, in the cloud and at home (A4.2). */
import { isNamed, NamedError } from "../../kernel/index.ts";

/** Adds the command's ID to an error: every answer carries it. */
export function withCommandId(error: unknown, commandId: string): unknown {
  if (!isNamed(error)) return error;
  const { name, message, outcome, errors, retryAfter, members, status, cause } = error;
  const headers = { "x-command-id": commandId, ...error.headers };
  return new NamedError(name, message, { outcome, errors, retryAfter, members, status, cause, headers });
}
