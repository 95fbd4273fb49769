/** The tables of webhooks. The event log is their queue: the rows keep the position of each and its attempts. */

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
