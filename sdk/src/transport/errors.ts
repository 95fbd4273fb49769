/** The one error of the client: what the service said, or why nothing was heard of it. */
import type { Problem } from "@porchlight/shared/api";
import type { ErrorName, Outcome } from "@porchlight/shared/kernel";

/** Names of the service's error table, and of what happens on the way. */
export type PorchlightErrorName = ErrorName | "Connection Failed" | "Timed Out" | "Unreadable Answer";

export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly requestId?: string | undefined;
  readonly commandId?: string | undefined;
  /** Seconds that the service asked to wait. */
  readonly retryAfter?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly cause?: unknown;
}

export class PorchlightError extends Error {
  /** Decide by this and by `outcome`, never by `message`. */
  override readonly name: PorchlightErrorName;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** What became of a write; undefined for a read, or when nothing was begun. */
  readonly outcome: Outcome | undefined;
  /** Finds the line of the service's log. */
  readonly requestId: string | undefined;
  /** The command of a property write, for `commands.get`. */
  readonly commandId: string | undefined;
  readonly retryAfter: number | undefined;
  /** The whole answer (RFC 9457), with `errors` by field. */
  readonly problem: Problem | undefined;

  constructor(name: PorchlightErrorName, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.name = name;
    this.status = facts.status ?? 0;
    this.outcome = facts.outcome;
    this.requestId = facts.requestId;
    this.commandId = facts.commandId;
    this.retryAfter = facts.retryAfter;
    this.problem = facts.problem;
  }
}

/** Whether `error` is the client's, and (when given) of that name. */
export function isPorchlightError(error: unknown, name?: PorchlightErrorName): error is PorchlightError {
  return error instanceof PorchlightError && (name === undefined || error.name === name);
}

/** The error that an answer is. @param text its body */
export function errorOf(response: Response, text: string): PorchlightError {
  const { status, headers } = response;
  const facts = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    commandId: headers.get("x-command-id") ?? undefined,
    retryAfter: secondsOf(headers.get("retry-after")),
  };
  const problem = headers.get("content-type")?.startsWith("application/problem+json") ? problemOf(text) : undefined;
  if (!problem) {
    const message = `The answer is ${status} and no error of the service: something in between has answered.`;
    return new PorchlightError("Unreadable Answer", message, facts);
  }
  return new PorchlightError(problem.title, problem.detail, { ...facts, outcome: problem.outcome, problem });
}

function problemOf(text: string): Problem | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const isProblem = typeof parsed === "object" && parsed !== null && "title" in parsed && "status" in parsed;
    return isProblem ? (parsed as Problem) : undefined;
  } catch {
    return undefined;
  }
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
