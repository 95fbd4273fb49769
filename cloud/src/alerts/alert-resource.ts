/** The resource of an alert, for answers and events. */
import { type Alert, type AlertKind, formatTime } from "@porchlight/shared/api";
import { timeWords, withTimes } from "@porchlight/shared/presentation";
import type { AlertRow } from "../store/index.ts";

const SUBJECTS: Readonly<Record<AlertKind, Alert["subject"]["type"]>> = {
  hub_offline: "hub",
  battery_low: "device",
  webhook_failing: "webhook",
  quota_near: "quota",
};

export function alertResource(row: AlertRow): Alert {
  // Trusted: the column holds the kind of a verdict.
  const kind = row.kind as AlertKind;
  return {
    id: row.id,
    ecosystemId: row.ecosystem_id,
    ...(row.environment_id !== null && { environmentId: row.environment_id }),
    kind,
    subject: { type: SUBJECTS[kind], id: row.subject_id, name: row.subject_name },
    state: row.ended_at === null ? "open" : "ended",
    text: inWords(row.text),
    ...(row.end_text !== null && { endText: inWords(row.end_text) }),
    since: formatTime(row.since),
    openedAt: formatTime(row.opened_at),
    ...(row.ended_at !== null && { endedAt: formatTime(row.ended_at) }),
  };
}

/** Formats the times in UTC, because events and answers are read in any time zone. */
function inWords(text: string): string {
  return withTimes(text, (ms) => timeWords(ms));
}
