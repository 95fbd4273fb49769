/**
 * The one error of the client: an error of the service, or the reason why it did not answer; and the outcome of an unconfirmed command in
 * words for users (A4.3).
 */
import type { Command, Problem } from "@porchlight/shared/api";
import type { ErrorName, Outcome } from "@porchlight/shared/kernel";

/** Names of the service's error table, and names for failures of the connection. */
export type PorchlightErrorName = ErrorName | "Connection Failed" | "Timed Out" | "Unreadable Answer";

interface ErrorFacts {
  readonly status?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly requestId?: string | undefined;
  readonly commandId?: string | undefined;
  /** Seconds to wait, as the service requests. */
  readonly retryAfter?: number | undefined;
  readonly problem?: Problem | undefined;
  readonly cause?: unknown;
}

export class PorchlightError extends Error {
  /** Base decisions on this and on `outcome`, never on `message`. */
  override readonly name: PorchlightErrorName;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Outcome of a write; undefined for a read, or when the write was never started. */
  readonly outcome: Outcome | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** ID of the command of a property write, for `commands.get`. */
  readonly commandId: string | undefined;
  readonly retryAfter: number | undefined;
  /** The complete error document (RFC 9457), with `errors` by field. */
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

/** Whether `error` is a PorchlightError, and (when given) has that name. */
export function isPorchlightError(error: unknown, name?: PorchlightErrorName): error is PorchlightError {
  return error instanceof PorchlightError && (name === undefined || error.name === name);
}

/** The error of a failed answer. @param text its body */
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

export type FailureOutcome = Exclude<NonNullable<Command["outcome"]>, "confirmed">;

export interface OutcomeText {
  /** `unknown: may have happened` */
  readonly word: string;
  /** Meaning, in a sentence. */
  readonly meaning: string;
  /** What the caller can do, in a sentence. */
  readonly next: string;
}

const OUTCOME_TEXTS: Readonly<Record<string, OutcomeText>> = {
  not_sent: { word: "not sent", meaning: "Nothing was sent to the device.", next: "It is safe to repeat." },
  not_applied: { word: "not applied", meaning: "The device did not act on it.", next: "It is safe to repeat." },
  rejected: {
    word: "rejected by the device",
    meaning: "The device is as it was.",
    next: "Change the value before you repeat it.",
  },
  unknown: {
    word: "unknown: may have happened",
    meaning: "The device may have acted on it.",
    next: "Read the value before you repeat it.",
  },
} satisfies Readonly<Record<FailureOutcome, OutcomeText>>;

/**
 * @param outcome undefined when no command was created and nothing was sent. An outcome of a newer service that the table does not have
 * is its own word.
 */
export function outcomeText(outcome: FailureOutcome | undefined): OutcomeText {
  const word: string = outcome ?? "not_sent";
  const known = Object.hasOwn(OUTCOME_TEXTS, word) ? OUTCOME_TEXTS[word] : undefined;
  return (
    known ?? {
      word,
      meaning: "This version does not know that outcome: the device may have acted on it.",
      next: "Read the value before you repeat it.",
    }
  );
}
