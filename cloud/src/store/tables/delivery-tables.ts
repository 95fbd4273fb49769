/** The tables of what is sent from the event log: webhooks and sinks, whose queue is the log itself, and alerts. */

/** Deleted with the webhook; the object stays as the tombstone. */
export interface WebhookRow {
  ecosystem_id: string;
  id: string;
  /** Restricts the events to this environment; null: the whole ecosystem. */
  environment_id: string | null;
  url: string;
  description: string | null;
  disabled: number;
  /** JSON array of patterns. */
  events: string;
  /** Sealed: JSON array of the signing secrets, the newest first. */
  secrets: string;
  /** Time of the first failure since the last success; null after a success. */
  failing_since: number | null;
  created_at: number;
}

/** A webhook's position in the log: one for live events, and one for each replay. */
export interface WebhookCursorRow {
  ecosystem_id: string;
  webhook_id: string;
  /** `log`, or the ID of the replay. */
  id: string;
  /** Every event up to this sequence was attempted, or does not concern this webhook. */
  position: number;
  /** Sequence of the last event of a replay. */
  until: number | null;
}

/** An event for one webhook, from its first attempt on. */
export interface DeliveryRow {
  ecosystem_id: string;
  id: string;
  webhook_id: string;
  event_id: string;
  type: string;
  /** The cursor that reached the event; null for a delivery that a caller requested individually. */
  cursor: string | null;
  sequence: number;
  /** The request body. */
  body: string;
  /** Attempts so far. */
  attempt: number;
  /** pending, succeeded, failed. */
  state: string;
  created_at: number;
  next_attempt_at: number | null;
  /** Time of the last attempt; the columns below describe it too. */
  attempted_at: number | null;
  duration_ms: number | null;
  response_status: number | null;
  /** Why the delivery was given up, or why the last attempt failed. */
  error: string | null;
  /** JSON of `{headers, body}`. */
  response: string | null;
  /** Why the last attempt failed; also null for attempts made before the column existed. */
  attempt_error: string | null;
  /** JSON array of the attempts before the last one, as the API shows them; null when there are none, or none were stored. */
  earlier_attempts: string | null;
}

export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_cursors: WebhookCursorRow;
  deliveries: DeliveryRow;
}

/** A node that sends webhooks; a row of a dead node does not count. */
export interface WebhookNodeRow {
  node_id: string;
}

/** One of a fixed number of shares of all webhooks, and the node that sends them. */
export interface WebhookShareRow {
  share: number;
  /** "" when it was released. */
  node_id: string;
}

/** Signals a change of a webhook; the node that holds its share deletes the row once it has handled it. */
export interface WebhookCallRow {
  share: number;
  id: string;
  ecosystem_id: string;
  webhook_id: string;
}

/** Of the service, across tenants. */
export interface WebhookShareTables {
  webhook_nodes: WebhookNodeRow;
  webhook_shares: WebhookShareRow;
  webhook_calls: WebhookCallRow;
}

/** The table of sinks. The event log is their queue: a row keeps the position of each and the outcome of the last attempt. */
export interface SinkRow {
  ecosystem_id: string;
  url: string;
  /** Sealed; null when the receiver requires none. */
  token: string | null;
  measurement_prefix: string;
  enabled: number;
  created_at: number;
  /** Counts the changes of the settings: an attempt with earlier settings proves nothing about the current ones. */
  revision: number;
  /** Every event up to this sequence was delivered, or does not concern this sink. */
  position: number;
  /** 1 when the receiver has accepted lines since the last change of the settings: a later rejection is then due to the lines. */
  proven: number;
  /** When the newest attempt ended, wall clock, ms; null before the first. */
  tried_at: number | null;
  /** HTTP status of its response. */
  status: number | null;
  /** Time of the first failure since the last success; null after a success. */
  failing_since: number | null;
  error: string | null;
  /** Failed attempts since the last success. */
  attempts: number;
  /** No attempt is made before this time, wall clock, ms. */
  retry_at: number | null;
  refused_lines: number;
  refused_error: string | null;
  lost_events: number;
  lost_at: number | null;
}

export interface SinkTables {
  sinks: SinkRow;
}

/** One incident: at most one of a kind and a subject is open at a time. */
export interface AlertRow {
  ecosystem_id: string;
  id: string;
  /** hub_offline, battery_low, webhook_failing, quota_near. */
  kind: string;
  /** ID of the hub, device or webhook; the name of a quota. */
  subject_id: string;
  /** The subject's name when the alert opened. */
  subject_name: string;
  /** Null for objects directly in the ecosystem. */
  environment_id: string | null;
  /** Description for a reader, as of its opening. */
  text: string;
  /** Description for a reader, as of its end; null while it is open. */
  end_text: string | null;
  /** When the problem began, as far as is known. Wall clock, ms, like the columns below. */
  since: number;
  opened_at: number;
  ended_at: number | null;
  /** The pending email: `opened` or `ended`; null: none. */
  mail: string | null;
  /** 1 once an email has reported its opening. */
  told: number;
}

/** Exists for accounts that changed their settings or got an alert by mail. */
export interface AlertSettingsRow {
  account_id: string;
  /** AlertSettings as JSON; null: the defaults. */
  settings: string | null;
  /** When the last email with alerts was sent; null: never. */
  mailed_at: number | null;
}

export interface AlertTables {
  alerts: AlertRow;
}

/** Of accounts, and not of a tenant. */
export interface AlertSettingsTables {
  alert_settings: AlertSettingsRow;
}
