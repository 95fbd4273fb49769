/** The failure of a command: three lines of output, and a status that a script can act on. */
import type { ErrorName } from "@porchlight/shared/kernel";

/** Exit statuses, the same for all our programs. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  offline: 6,
  unreachable: 7,
  rateLimited: 8,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;

/** Meaning of each status, for help and documents. */
export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  done: "Done.",
  failed: "Failed for another reason.",
  usage: "The command line or the settings are wrong.",
  notFound: "Not found (404).",
  notAllowed: "Not logged in, or not allowed (401, 403).",
  refused:
    "The service or the device refused the input, or it conflicts with the current state (400, 405, 409, 412, 413, 422).",
  offline: "A hub or device is offline, or did not answer in time (502, 503 and 504 of a device).",
  unreachable: "The service cannot be reached, or is unavailable.",
  rateLimited: "Too many requests (429).",
  interrupted: "Interrupted (Ctrl-C).",
};

/** Error names whose exit status does not follow from their HTTP status. */
const BY_NAME: Partial<Record<string, ExitName>> = {
  "Quota Exceeded": "refused",
  "Internal Error": "failed",
  "Device Unreachable": "offline",
  "Hub Offline": "offline",
  "Hub Timeout": "offline",
  "Hub Outdated": "refused",
  "Connection Failed": "unreachable",
  "Timed Out": "unreachable",
  "Unreadable Answer": "unreachable",
} satisfies Partial<Record<ErrorName | "Connection Failed" | "Timed Out" | "Unreadable Answer", ExitName>>;

/** @param status HTTP status; 0 without an answer */
export function exitOf(name: string, status: number): ExitName {
  const named = BY_NAME[name];
  if (named) return named;
  if (status === 401 || status === 403) return "notAllowed";
  if (status === 404) return "notFound";
  if (status === 429) return "rateLimited";
  if (status >= 400 && status < 500) return "refused";
  return status === 0 || status >= 500 ? "unreachable" : "failed";
}

/** A failure that the console itself detected. */
export class Failure extends Error {
  readonly exit: ExitName;
  readonly why: string;
  /** A command to run, or another remedy. */
  readonly remedy: string;

  constructor(exit: ExitName, what: string, why: string, remedy: string) {
    super(what);
    this.exit = exit;
    this.why = why;
    this.remedy = remedy;
  }
}

/** A mistake in the command line. */
export class UsageError extends Failure {
  constructor(what: string, why: string, remedy: string) {
    super("usage", what, why, remedy);
  }
}

/** Reason of an aborted signal: the user pressed Ctrl-C, or the program was asked to end. */
export class Interrupted extends Error {}

/** Reason of an aborted signal: the reader has closed the output, as `head` does. */
export class OutputClosed extends Error {}
