/** The tables of alerts: what is or was wrong in an ecosystem, and which alerts an account wants. */

/** One incident: at most one of a kind and a subject is open at a time. */
export interface AlertRow {
  ecosystem_id: string;
  id: string;
  /** hub_offline, battery_low, webhook_failing, quota_near. */
  kind: string;
  /** ID of the hub, device or webhook; of a quota its name. */
  subject_id: string;
  /** The subject's name when the alert opened. */
  subject_name: string;
  /** Null of what stands directly in the ecosystem. */
  environment_id: string | null;
  /** What was known when it opened, for a person. */
  text: string;
  /** What was known when it ended; null while it is open. */
  end_text: string | null;
  /** When what is wrong began, as far as is known. Wall clock, ms, as those that follow. */
  since: number;
  opened_at: number;
  ended_at: number | null;
  /** What has yet to be mailed: `opened` or `ended`; null: nothing. */
  mail: string | null;
  /** 1 once an email has said that it opened. */
  told: number;
}

/** Of an account that has changed its settings, or was mailed an alert. */
export interface AlertSettingsRow {
  account_id: string;
  /** AlertSettings as JSON; null: those that every account begins with. */
  settings: string | null;
  /** When an email with alerts last went out; null: never. */
  mailed_at: number | null;
}

export interface AlertTables {
  alerts: AlertRow;
}

/** Of accounts, not of a tenant. */
export interface AlertSettingsTables {
  alert_settings: AlertSettingsRow;
}
