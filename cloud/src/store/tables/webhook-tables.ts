/** The tables of webhooks. The event log is their queue: what is kept here is how far each has come, and what was tried. */

/** Goes with the webhook; the object stays as the tombstone. */
export interface WebhookRow {
  ecosystem_id: string;
  id: string;
  /** Only events of this environment; null: of the whole ecosystem. */
  environment_id: string | null;
  url: string;
  description: string | null;
  disabled: number;
  /** JSON array of patterns. */
  events: string;
  /** Sealed: JSON array of the secrets that sign, the newest first. */
  secrets: string;
  /** When the first attempt failed since the last success; null when the last one was a success. */
  failing_since: number | null;
  created_at: number;
}

/** How far a webhook has come in the log: with what happens, and once for each replay. */
export interface WebhookCursorRow {
  ecosystem_id: string;
  webhook_id: string;
  /** `log`, or the ID of the replay. */
  id: string;
  /** Everything up to this sequence has been tried, or is none of its. */
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
  /** The cursor that came by the event; null for what somebody has asked for by itself. */
  cursor: string | null;
  sequence: number;
  /** The event as it is sent. */
  body: string;
  /** Attempts until now. */
  attempt: number;
  /** pending, succeeded, failed. */
  state: string;
  created_at: number;
  next_attempt_at: number | null;
  /** Of the last attempt, as all that follows. */
  attempted_at: number | null;
  duration_ms: number | null;
  response_status: number | null;
  /** Why nothing is tried any more, or why the last attempt was no success. */
  error: string | null;
  /** JSON of `{headers, body}`. */
  response: string | null;
  /** Why the last attempt was no success; null also of attempts that were made before it was kept. */
  attempt_error: string | null;
  /** JSON array of the attempts before the last one, as they are answered; null when there is none, or none was kept. */
  earlier_attempts: string | null;
}

export interface WebhookTables {
  webhooks: WebhookRow;
  webhook_cursors: WebhookCursorRow;
  deliveries: DeliveryRow;
}

/** A node that sends webhooks; one that is not among the living nodes does not count. */
export interface WebhookNodeRow {
  node_id: string;
}

/** One of a fixed number of parts of all webhooks, and the node that sends them. */
export interface WebhookShareRow {
  share: number;
  /** "" when it has been given back. */
  node_id: string;
}

/** That something of a webhook has changed; the node that has its share takes it away once it has looked. */
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
