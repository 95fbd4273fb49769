/** The tables of alerts: current and past problems of an ecosystem, and the alerts that an account subscribes to. */

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
