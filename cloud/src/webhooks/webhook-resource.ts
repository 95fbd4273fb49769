/** Webhooks and deliveries as the API shows them. */
import {
  type DeliveryAttempt,
  formatTime,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
} from "@porchlight/shared/api";
import type { DeliveryRow, WebhookRow } from "../store/index.ts";

/** A delivery as a list shows it. */
export type ListedDelivery = Pick<
  DeliveryRow,
  | "id"
  | "webhook_id"
  | "event_id"
  | "type"
  | "attempt"
  | "state"
  | "response_status"
  | "duration_ms"
  | "error"
  | "created_at"
  | "next_attempt_at"
>;

/** The columns of a listed delivery. */
export const LISTED = [
  "id",
  "webhook_id",
  "event_id",
  "type",
  "attempt",
  "state",
  "response_status",
  "duration_ms",
  "error",
  "created_at",
  "next_attempt_at",
] as const satisfies readonly (keyof ListedDelivery)[];

const USER_AGENT = "Porchlight-Webhooks/1.0";

export function webhookResource(row: WebhookRow, last?: ListedDelivery): Webhook {
  return {
    id: row.id,
    ecosystemId: row.ecosystem_id,
    ...(row.environment_id !== null && { environmentId: row.environment_id }),
    url: row.url,
    ...(row.description !== null && { description: row.description }),
    disabled: row.disabled === 1,
    events: patternsOf(row),
    createdAt: formatTime(row.created_at),
    ...(last && { lastDelivery: deliveryResource(last) }),
  };
}

export function patternsOf({ events }: WebhookRow): string[] {
  // Only validated patterns are stored.
  return JSON.parse(events) as string[];
}

export function deliveryResource(row: ListedDelivery): WebhookDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    attempt: row.attempt,
    // Only states of the schedule are stored.
    state: row.state as WebhookDelivery["state"],
    ...(row.response_status !== null && { responseStatus: row.response_status }),
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    ...(row.error !== null && { error: row.error }),
    createdAt: formatTime(row.created_at),
    ...(row.next_attempt_at !== null && { nextAttemptAt: formatTime(row.next_attempt_at) }),
  };
}

export function deliveryDetails(row: DeliveryRow): WebhookDeliveryDetails {
  const { attempted_at: at, body } = row;
  const timestamp = at === null ? undefined : Math.floor(at / 1000);
  return {
    ...deliveryResource(row),
    request: { headers: { ...requestHeaders(row.event_id, timestamp) }, body },
    ...(row.response !== null && { response: JSON.parse(row.response) }),
    attempts: attemptsOf(row),
  };
}

/** The headers of a delivery without its signature. @param timestamp seconds since 1970; undefined before the first attempt */
export function requestHeaders(eventId: string, timestamp: number | undefined): Readonly<Record<string, string>> {
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    "webhook-id": eventId,
    ...(timestamp !== undefined && { "webhook-timestamp": String(timestamp) }),
  };
}

/** Maximum stored attempts: more than the schedule makes. */
const MOST_ATTEMPTS = 12;
/** Characters of a response body that are stored for each attempt before the last. */
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

/**
 * The attempts of a delivery, oldest first, as far as they were stored; empty before the first. The last one is in the
 * row's own columns, so that a first success costs nothing more.
 */
export function attemptsOf(row: Tried): DeliveryAttempt[] {
  if (row.attempt === 0 || row.attempted_at === null) return [];
  // Only `earlierText` writes it.
  const earlier = row.earlier_attempts === null ? [] : (JSON.parse(row.earlier_attempts) as DeliveryAttempt[]);
  return [...earlier, lastOf(row, row.attempted_at)];
}

/** The column for the attempts before the current one. */
export function earlierText(attempts: readonly DeliveryAttempt[]): string | null {
  return attempts.length === 0 ? null : JSON.stringify(attempts.slice(-MOST_ATTEMPTS));
}

function lastOf(row: Tried, at: number): DeliveryAttempt {
  const { attempt, duration_ms: durationMs, response_status: status, response } = row;
  const isSuccess = status !== null && status >= 200 && status < 300;
  const error = isSuccess ? null : (row.attempt_error ?? row.error);
  // The column holds a response message.
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
