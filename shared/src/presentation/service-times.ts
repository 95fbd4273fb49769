/** Times that the service keeps and that its pages and documents state: declared here once. All in ms. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const SERVICE_TIMES = {
  /** Before each attempt of a webhook's delivery (the schedule of Standard Webhooks 1.0). */
  webhookWaits: [
    ...[0, 5 * SECOND, 5 * MINUTE, 30 * MINUTE],
    ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  ],
  /** A receiver has this long to answer. */
  webhookAnswer: 15 * SECOND,
  /** An endpoint at which nothing has succeeded for this long is disabled. */
  webhookGiveUp: 5 * DAY,
  /** After a new secret, both sign. */
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
  /** A log-in that is not kept. */
  shortLogIn: 12 * HOUR,
  /** A user token that an account creates. */
  accountsUserToken: 30 * DAY,
} as const;
