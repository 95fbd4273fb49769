/** The outcome of an unconfirmed command, and the answer to its caller: pure, because safe retries depend on it (section 4). */
import { ERRORS, type ErrorName, isNamed, NamedError } from "@porchlight/shared/kernel";
import { withCommandId } from "@porchlight/shared/rest";
import { PeerGone, PeerRefused, PeerTimeout, type ResultRecord, RPC_ERRORS } from "@porchlight/shared/tunnel";
import { type CommandEnd, type CommandError, endOf } from "./command-store.ts";

export type CommandResolution =
  /** Its end is known. */
  | { readonly kind: "ended"; readonly end: CommandEnd }
  /** Its caller stops waiting, and a result may still arrive. */
  | { readonly kind: "open"; readonly error: CommandError };

/** Resolution from the hub's answer. */
export function resolutionOfAnswer(answer: ResultRecord): CommandResolution {
  const end = endOf(answer);
  // Without a number the answer is not the journal's final one: the hub still executes the command.
  if (answer.outcome === "unknown" && answer.n === 0) return { kind: "open", error: end.error ?? NO_ANSWER };
  return { kind: "ended", end };
}

/** Resolution from a failed request to the hub. */
export function resolutionOfFailure(failure: unknown): CommandResolution {
  if (failure instanceof PeerGone) {
    if (failure.sent) return { kind: "open", error: DROPPED };
    return notSent({ name: "Hub Offline", detail: "The hub is not connected: nothing was sent." });
  }
  if (failure instanceof PeerTimeout) {
    if (failure.sent) return { kind: "open", error: NO_ANSWER };
    return notSent({
      name: "Hub Timeout",
      detail: "The hub's connection did not take the command in time: nothing was sent.",
    });
  }
  if (failure instanceof PeerRefused && failure.error.code !== RPC_ERRORS.internal.code) {
    const error = {
      name: "Device Unreachable",
      detail: `The hub did not accept the command: ${failure.error.message}.`,
    };
    return { kind: "ended", end: { state: "failed", outcome: "not_applied", error } };
  }
  return { kind: "open", error: NO_ANSWER };
}

const NO_ANSWER: CommandError = {
  name: "Hub Timeout",
  detail: "The hub did not answer in time: whether the command was carried out is not known yet.",
};
const DROPPED: CommandError = {
  name: "Hub Timeout",
  detail: "The hub's connection broke: whether the command was carried out is not known yet.",
};

function notSent(error: CommandError): CommandResolution {
  return { kind: "ended", end: { state: "failed", outcome: "not_sent", error } };
}

/** Further data for the answer to a command. */
export interface AnswerExtras {
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds, and the hub's `lastSeenAt`, for "Hub Offline". */
  readonly retryAfter: number;
  readonly lastSeenAt?: string | undefined;
}

/** The error for the caller. */
export function refusalOf(resolution: CommandResolution, extras: AnswerExtras): NamedError {
  const { outcome, error } =
    resolution.kind === "ended" ? resolution.end : ({ outcome: "unknown", error: resolution.error } as const);
  const name = errorName(error?.name);
  const offline = name === "Hub Offline";
  const comesBack = offline || name === "Service Unavailable";
  return new NamedError(name, error?.detail, {
    outcome,
    headers: extras.headers,
    ...(comesBack && { retryAfter: extras.retryAfter }),
    members: {
      ...(error?.code !== undefined && { code: error.code }),
      ...(offline && extras.lastSeenAt !== undefined && { lastSeenAt: extras.lastSeenAt }),
    },
  });
}

/** The stored error has a name of the table; a newer program may have stored one that this program does not have. */
function errorName(name: string | undefined): ErrorName {
  return name !== undefined && Object.hasOwn(ERRORS, name) ? (name as ErrorName) : "Hub Timeout";
}

/**
 * Translates a failed store write into the command's error.
 * @param outcome set when it is certain that the write was not made
 */
export function asUnavailable(error: unknown, outcome: "not_sent" | "not_applied" | "unknown"): unknown {
  if (!isNamed(error, "Service Unavailable")) return error;
  const { message, retryAfter, headers } = error;
  const known = outcome === "not_sent" ? outcome : (error.outcome ?? outcome);
  const details = { outcome: known, retryAfter, headers, cause: error };
  if (isInDoubt(error)) return new NamedError("Service Unavailable", message, details);
  return new NeverStored("Service Unavailable", message, details);
}

/** The error for a write while the store is away: a confirmation could not be stored, and would end as `unknown`. */
export function notSentWhileAway(cause: NamedError): NamedError {
  const details = { outcome: "not_sent", retryAfter: 1, cause } as const;
  return new NeverStored("Service Unavailable", "The database accepts no changes now: nothing was sent.", details);
}

/** Whether the store may have committed the write nevertheless. */
export function isInDoubt(error: unknown): boolean {
  return isNamed(error, "Service Unavailable") && error.outcome === "unknown";
}

/** The error of a command that was never stored: its ID must not be returned. */
class NeverStored extends NamedError {}

/** Adds the command's ID, which every answer to a write carries unless the store has refused the command. */
export function withIdUnlessNeverStored(error: unknown, commandId: string): unknown {
  return error instanceof NeverStored ? error : withCommandId(error, commandId);
}
