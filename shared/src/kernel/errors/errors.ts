/** The one error class: a name of the error table, a sentence with the details, and what a caller needs for a safe retry. */
import { type ErrorName, errorRow } from "./error-table.ts";

export { ERRORS, type ErrorName } from "./error-table.ts";

/** The outcome of a command: a caller needs it to decide whether a retry is safe. */
export type Outcome = "confirmed" | "rejected" | "not_sent" | "not_applied" | "unknown";

/** One invalid place in a request body. */
export interface FieldProblem {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  readonly message: string;
}

export interface ErrorExtras {
  readonly outcome?: Outcome | undefined;
  readonly errors?: readonly FieldProblem[] | undefined;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number | undefined;
  /** Further members of the answer, such as a hub's `lastSeenAt`. */
  readonly members?: Readonly<Record<string, unknown>> | undefined;
  /** Further headers of the answer, such as `x-command-id`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** Status of "Token Invalid" for a `:tokenId` that is no token ID (400); for a credential the same name has 401. */
export const TOKEN_REFERENCE_STATUS = 400;

export class NamedError extends Error {
  override readonly name: ErrorName;
  readonly status: number;
  readonly retryable: boolean;
  readonly outcome: Outcome | undefined;
  readonly errors: readonly FieldProblem[] | undefined;
  readonly retryAfter: number | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  /** @param detail one helpful sentence: what is wrong and what to do; the table's cause when omitted */
  constructor(name: ErrorName, detail?: string, extras: ErrorExtras = {}) {
    const row = errorRow(name);
    super(detail ?? row.cause, { cause: extras.cause });
    this.name = name;
    this.status = extras.status ?? row.status;
    this.retryable = row.retryable ?? false;
    this.outcome = extras.outcome;
    this.errors = extras.errors;
    this.retryAfter = extras.retryAfter;
    this.members = extras.members;
    this.headers = extras.headers;
  }
}

/** Whether `error` is a {@link NamedError}, and (when given) has that name. */
export function isNamed(error: unknown, name?: ErrorName): error is NamedError {
  return error instanceof NamedError && (name === undefined || error.name === name);
}
