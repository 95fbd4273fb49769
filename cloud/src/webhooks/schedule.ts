/** Decides what follows an attempt: pure, with the schedule of Standard Webhooks 1.0. */
import { SERVICE_TIMES } from "@porchlight/shared/presentation";

const { webhookWaits: WAITS, webhookGiveUp: GIVE_UP_AFTER } = SERVICE_TIMES;
/** Random deviation of a wait, as a part of it, so that concurrent failures do not retry at the same time. */
const JITTER = 0.1;
/** Maximum delay that a receiver may request, ms: it must not postpone an event until it is no longer stored. */
const MOST_RETRY_AFTER = 24 * 3_600_000;

/** The outcome of an attempt. */
export type Outcome =
  | {
      readonly kind: "answered";
      readonly status: number;
      /** The `retry-after` that the receiver requested, ms. */
      readonly retryAfter?: number | undefined;
    }
  | { readonly kind: "failed"; readonly error: string };

/** Why an endpoint is disabled until a user enables it. */
export type DisableReason = "gone" | "failing";

export type NextAttempt =
  | { readonly state: "succeeded" }
  | { readonly state: "pending"; readonly at: number }
  | { readonly state: "failed" };

export interface Tried {
  readonly outcome: Outcome;
  /** Attempts made, including this one. */
  readonly attempt: number;
  /** When it ended, wall clock, ms. */
  readonly now: number;
  /** In [0, 1). */
  readonly fraction: number;
  /** Whether retries are possible: not for a test, and not at a disabled endpoint. */
  readonly repeats: boolean;
}

export function isSuccess(outcome: Outcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

/** The next state of the delivery. */
export function afterAttempt({ outcome, attempt, now, fraction, repeats }: Tried): NextAttempt {
  if (isSuccess(outcome)) return { state: "succeeded" };
  const wait = WAITS[attempt];
  if (wait === undefined || !repeats || isGone(outcome)) return { state: "failed" };
  const jittered = wait * (1 - JITTER + 2 * JITTER * fraction);
  return { state: "pending", at: Math.round(now + Math.max(jittered, askedFor(outcome))) };
}

export interface EndpointStanding {
  /** Time of the first failure since the last success; null after a success. */
  readonly failingSince: number | null;
  readonly disable?: DisableReason;
}

/** The next state of the endpoint. */
export function standingAfter(outcome: Outcome, failingSince: number | null, now: number): EndpointStanding {
  if (isSuccess(outcome)) return { failingSince: null };
  const since = failingSince ?? now;
  if (isGone(outcome)) return { failingSince: since, disable: "gone" };
  return now - since >= GIVE_UP_AFTER ? { failingSince: since, disable: "failing" } : { failingSince: since };
}

/** Why the attempt failed, for a reader. */
export function errorOf(outcome: Outcome): string | undefined {
  if (outcome.kind === "failed") return outcome.error;
  if (isSuccess(outcome)) return undefined;
  if (outcome.status >= 300 && outcome.status < 400) return "redirects are not followed";
  return isGone(outcome) ? "the receiver wants no more deliveries" : "non-2xx response";
}

function isGone(outcome: Outcome): boolean {
  return outcome.kind === "answered" && outcome.status === 410;
}

function askedFor(outcome: Outcome): number {
  if (outcome.kind !== "answered" || (outcome.status !== 429 && outcome.status !== 503)) return 0;
  return Math.min(outcome.retryAfter ?? 0, MOST_RETRY_AFTER);
}
