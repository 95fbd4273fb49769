/** The attempts of a delivery, each as it went. The last one is in the row's own columns, so that a first success costs nothing more. */
import { type DeliveryAttempt, formatTime } from "@porchlight/shared/api";
import type { DeliveryRow } from "../../store/index.ts";

/** Attempts that are kept: more than the schedule makes. */
const MOST_ATTEMPTS = 12;
/** Characters of an answer's body that are kept of each attempt before the last. */
const START = 512;

type Tried = Pick<
  DeliveryRow,
  | "attempt"
  | "attempted_at"
  | "duration_ms"
  | "response_status"
  | "error"
  | "response"
  | "attempt_error"
  | "earlier_attempts"
>;

/** Oldest first, as far as they were kept; none before the first. */
export function attemptsOf(row: Tried): DeliveryAttempt[] {
  if (row.attempt === 0 || row.attempted_at === null) return [];
  // Written by earlierText.
  const earlier = row.earlier_attempts === null ? [] : (JSON.parse(row.earlier_attempts) as DeliveryAttempt[]);
  return [...earlier, lastOf(row, row.attempted_at)];
}

/** What is stored of the attempts before the one that is stored now. */
export function earlierText(attempts: readonly DeliveryAttempt[]): string | null {
  return attempts.length === 0 ? null : JSON.stringify(attempts.slice(-MOST_ATTEMPTS));
}

function lastOf(row: Tried, at: number): DeliveryAttempt {
  const { attempt, duration_ms: durationMs, response_status: status, response } = row;
  const isSuccess = status !== null && status >= 200 && status < 300;
  const error = isSuccess ? null : (row.attempt_error ?? row.error);
  // Written as a message.
  const body = response === null ? undefined : (JSON.parse(response) as { readonly body: string }).body;
  return {
    number: attempt,
    attemptedAt: formatTime(at),
    ...(durationMs !== null && { durationMs }),
    ...(status !== null && { responseStatus: status }),
    ...(error !== null && { error }),
    ...(body !== undefined && { responseStart: body.slice(0, START) }),
  };
}
