/** The output and the exit status of a failed command. */
import { isPorchlightError, outcomeText, type PorchlightError } from "@porchlight/sdk";
import type { Output } from "../render/output.ts";
import { styled } from "../render/style.ts";
import { EXIT, exitOf, Failure, Interrupted, OutputClosed } from "../session/failure.ts";
import { SettingsUnusable } from "../settings/settings-file.ts";

/** A failure in the form of its output. */
interface FailureText {
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
  readonly exitStatus: number;
  readonly requestId?: string | undefined;
  /** The service's own problem, which `--json` prints instead. */
  readonly problem?: object | undefined;
}

function failureText(failure: unknown, apiUrl: string): FailureText {
  if (failure instanceof Failure)
    return { what: failure.message, why: failure.why, remedy: failure.remedy, exitStatus: EXIT[failure.exit] };
  if (isPorchlightError(failure)) return serviceFailure(failure, apiUrl);
  if (failure instanceof SettingsUnusable)
    return {
      what: `The settings file ${failure.path} cannot be used.`,
      why: `${failure.message} The file was not changed.`,
      remedy: "fix it, or move it away and run `porchlight login`",
      exitStatus: EXIT.usage,
    };
  const isSystem = failure instanceof Error && "syscall" in failure;
  return {
    what: isSystem ? "The operating system reported an error." : "Something went wrong in the console itself.",
    why: failure instanceof Error ? failure.message : String(failure),
    remedy: isSystem ? "check the file or folder that it names" : "run it again with --debug, which shows where",
    exitStatus: EXIT.failed,
  };
}

function serviceFailure(error: PorchlightError, apiUrl: string): FailureText {
  const fields = (error.problem?.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`);
  const { moreErrors } = error.problem ?? {};
  if (moreErrors !== undefined) fields.push(`and ${moreErrors} more.`);
  const outcome =
    error.outcome === undefined || error.outcome === "confirmed"
      ? []
      : [`Outcome: ${outcomeText(error.outcome).word}. ${outcomeText(error.outcome).next}`];
  return {
    what: error.name,
    why: [error.message, ...fields, ...outcome].join(" "),
    remedy: remedyOf(error, apiUrl),
    exitStatus: EXIT[exitOf(error.name, error.status)],
    requestId: error.requestId,
    problem: error.problem,
  };
}

function remedyOf(error: PorchlightError, apiUrl: string): string {
  switch (error.name) {
    case "Token Missing":
    case "Token Invalid":
    case "Token Expired":
      if (error.status === 401) return "porchlight login";
      break;
    case "Token Type Not Allowed":
      return "porchlight whoami, which shows the kind of the token in use";
    case "Hub Offline":
      return "porchlight hubs list, which shows since when";
    case "Hub Timeout":
      return error.commandId ? `porchlight commands get ${error.commandId}` : "try again";
    case "Rate Limit Exceeded":
      return `try again in ${error.retryAfter ?? 1} s`;
    case "Connection Failed":
    case "Timed Out":
      return `check that ${apiUrl} is the right address (--api-url), and that the service is running`;
    case "Precondition Failed":
      return "read it again, then repeat the change";
    default:
  }
  const noun = nounOf(error.name);
  if (noun !== undefined) return `porchlight ${noun} list, which shows what there is`;
  return error.problem ? `see ${pageOf(error.problem.type, apiUrl)}` : "run it again with --debug";
}

/** Kinds that have their own list command. */
const LISTED = ["Ecosystem", "Environment", "Zone", "Device", "User", "Server", "Client", "Webhook"];

/** For an error about a reference, the noun whose list shows the valid ones. */
function nounOf(name: string): string | undefined {
  const [, kind = ""] = /^(\w+) (?:Invalid|Not Found)$/.exec(name) ?? [];
  return LISTED.includes(kind) ? `${kind.toLowerCase()}s` : undefined;
}

/** The page about an error, whose path in a problem is relative to the service. */
function pageOf(type: string, apiUrl: string): string {
  return URL.canParse(type, apiUrl) ? new URL(type, apiUrl).href : apiUrl;
}

/**
 * Prints why a command failed, and returns its exit status.
 * @param trace whether to print the stack: with `--debug`
 */
export function report(failure: unknown, output: Output, apiUrl: string, trace: boolean): number {
  if (failure instanceof Interrupted) return EXIT.interrupted;
  if (failure instanceof OutputClosed) return EXIT.done;
  const { what, why, remedy, exitStatus, requestId, problem } = failureText(failure, apiUrl);
  if (output.isJson) {
    const own = { title: what, detail: why, remedy, exitStatus, ...(requestId && { instance: requestId }) };
    output.jsonNote(problem ?? own);
  } else {
    const request = requestId ? [styled("dim", ` (request ${requestId})`)] : [];
    output.note(styled("red", "error:"), ` ${what}`, ...request);
    output.note(styled("dim", "why:  "), ` ${why}`);
    output.note(styled("dim", "try:  "), ` ${remedy}`);
  }
  if (trace && failure instanceof Error) for (const line of (failure.stack ?? "").split("\n")) output.note(line);
  return exitStatus;
}
