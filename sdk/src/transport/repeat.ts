/** Whether a failed request may be repeated: never when what it asks for could happen twice. A pure decision, with a table as its test. */
import type { PorchlightError } from "./errors.ts";

/**
 * What a repeat of a request can do.
 * - `read`: nothing; it changes nothing.
 * - `replace`: nothing more; it leaves the same behind however often it comes.
 * - `keyed`: nothing more; the service knows it by its idempotency key.
 * - `once`: it may happen twice.
 */
export type Repeat = "read" | "replace" | "keyed" | "once";

export function mayRepeat(repeat: Repeat, error: PorchlightError): boolean {
  switch (error.name) {
    // The service has done nothing of it.
    case "Rate Limit Exceeded":
    case "Idempotency Key In Use":
      return true;
    // It may have arrived.
    case "Connection Failed":
    case "Timed Out":
      return repeat !== "once";
    // A server in between has answered, and it is not known what it passed on.
    case "Unreadable Answer":
      return repeat !== "once" && [502, 503, 504].includes(error.status);
  }
  switch (error.outcome) {
    case "not_sent":
    case "not_applied":
      return error.problem?.retryable === true;
    case undefined:
      // An error of 5xx frees an idempotency key, so the key does not protect the repeat.
      return error.problem?.retryable === true && (repeat === "read" || repeat === "replace");
    // It is done, refused, still under way, or an outcome of a newer service: a repeat would tell nothing new, or do it again.
    default:
      return false;
  }
}
