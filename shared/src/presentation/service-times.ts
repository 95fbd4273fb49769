/** Times that the service keeps and that its pages and documents state, declared once. All in ms. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const SERVICE_TIMES = {
  /** Waits before each attempt of a webhook's delivery (the schedule of Standard Webhooks 1.0). */
  webhookWaits: [
    ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE],
    ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  ],
  /** Time limit for a receiver's answer. */
  webhookAnswer: 15 * SECOND,
  /** An endpoint without a successful delivery for this long is disabled. */
  webhookGiveUp: 5 * DAY,
  /** Time for which both secrets sign after a new one was set. */
  formerSecret: 24 * HOUR,
  deliveriesKept: 30 * DAY,
  commandsKept: 30 * DAY,
  requestsKept: 7 * DAY,
  auditKept: 400 * DAY,
  endedAlertsKept: 90 * DAY,
  betweenAlertEmails: 10 * MINUTE,
  idempotencyKey: 24 * HOUR,
  verifyCode: 7 * DAY,
  resetCode: HOUR,
  /** Lifetime of a log-in that is not remembered. */
  shortLogIn: 12 * HOUR,
  /** Lifetime of a user token that an account creates. */
  accountsUserToken: 30 * DAY,
} as const;
