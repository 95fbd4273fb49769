/** The one error class: a name of the error table, what happened in a sentence, and what a caller needs to try again safely. */
import { type ErrorName, errorRow } from "./error-table.ts";

export { ERRORS, type ErrorName } from "./error-table.ts";

/** What became of a command: the one thing a caller needs to repeat it safely. */
export type Outcome = "confirmed" | "rejected" | "not_sent" | "not_applied" | "unknown";

/** One place of a request body that is wrong. */
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

/** "Token Invalid" names two things: the credential (401) and a `:tokenId` that is none (400). This is the second's status. */
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

  /** @param detail one helpful sentence: what was wrong and what to do; the table's cause when left out */
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

/** Whether `error` is one of the table's, and (when given) of that name. */
export function isNamed(error: unknown, name?: ErrorName): error is NamedError {
  return error instanceof NamedError && (name === undefined || error.name === name);
}
