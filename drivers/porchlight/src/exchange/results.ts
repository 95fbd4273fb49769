/** Maps the end of an exchange to the API's names and outcomes: the one table for that. */
import { type FailedResult, notApplied, rejected, unknownOutcome } from "@porchlight/driver-kit";
import { ERROR_CODE, errorVerdict } from "@porchlight/shared/wire";
import type { ExchangeEnd } from "./exchange-state.ts";

type Unfulfilled = Exclude<ExchangeEnd, { kind: "answered" }>;

/** The same result as for ERROR 10. DP5, "Values". */
export function wrongTypeResult(): FailedResult {
  const detail = "The device answered with a value of another type than it describes.";
  return { ...unknownOutcome(detail), code: ERROR_CODE.hardwareFailure };
}

/** DP4, "ERROR", and DP5, "Requests" and "Reboot". */
export function failureOfRequest(end: Unfulfilled): FailedResult {
  switch (end.kind) {
    case "error":
      return errorResult(end.code, end.text, end.sent);
    case "busy":
      return end.sent
        ? {
            ...unknownOutcome("The device stayed busy, and did not answer every request."),
            code: ERROR_CODE.busy,
          }
        : { ...notApplied("The device stayed busy."), code: ERROR_CODE.busy };
    case "silence":
      return unknownOutcome("The device did not answer.");
    case "withheld":
      return end.sent
        ? unknownOutcome("The device did not answer in time.")
        : notApplied("The time or the permission to ask the device had ended.");
    case "lost":
      return end.sent
        ? unknownOutcome("The device went away before it answered.")
        : notApplied("The device went away before it was asked.");
    case "rejected":
      return rejected(end.detail);
  }
}

/** @param inDoubt whether an earlier copy of the request may still be executed */
function errorResult(code: number, text: string, inDoubt: boolean): FailedResult {
  const verdict = errorVerdict(code);
  const words = text.replace(/(?<![.\s])[.\s]+$/, "");
  const stated = words === "" ? "" : `: ${words}`;
  const detail = `The device says error ${code} (${verdict.says})${stated}.`;
  if (inDoubt) return { ...unknownOutcome(detail), code };
  if (verdict.name === "Device Rejected") return { ...rejected(detail), code };
  return { ...(verdict.outcome === "not_applied" ? notApplied(detail) : unknownOutcome(detail)), code };
}
