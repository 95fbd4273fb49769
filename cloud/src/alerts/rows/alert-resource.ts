/** An alert as it is answered, and as its events tell it. */
import { type Alert, type AlertKind, formatTime } from "@porchlight/shared/api";
import type { AlertRow } from "../../store/index.ts";

const SUBJECTS: Readonly<Record<AlertKind, Alert["subject"]["type"]>> = {
  hub_offline: "hub",
  battery_low: "device",
  webhook_failing: "webhook",
  quota_near: "quota",
};

export function alertResource(row: AlertRow): Alert {
  // The column holds what a verdict said.
  const kind = row.kind as AlertKind;
  return {
    id: row.id,
    ecosystemId: row.ecosystem_id,
    ...(row.environment_id !== null && { environmentId: row.environment_id }),
    kind,
    subject: { type: SUBJECTS[kind], id: row.subject_id, name: row.subject_name },
    state: row.ended_at === null ? "open" : "ended",
    text: row.text,
    ...(row.end_text !== null && { endText: row.end_text }),
    since: formatTime(row.since),
    openedAt: formatTime(row.opened_at),
    ...(row.ended_at !== null && { endedAt: formatTime(row.ended_at) }),
  };
}
