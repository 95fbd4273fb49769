/** `x-command-id`: names the command of a write, in the cloud and at home (A4.2). */
import { isNamed, NamedError } from "../../kernel/index.ts";

/** Every answer carries the command's ID, refusals too. */
export function withCommandId(error: unknown, commandId: string): unknown {
  if (!isNamed(error)) return error;
  const { name, message, outcome, errors, retryAfter, members, status, cause } = error;
  const headers = { "x-command-id": commandId, ...error.headers };
  return new NamedError(name, message, { outcome, errors, retryAfter, members, status, cause, headers });
}
