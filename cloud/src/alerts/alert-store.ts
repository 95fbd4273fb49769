/** Alerts in the store: opened, ended, listed, and limited in number; and as the API shows them. */
import { type Alert, type AlertKind, formatTime } from "@porchlight/shared/api";
import { timeWords, withTimes } from "@porchlight/shared/presentation";
import { type AlertRow, one, type Sql, statement, type Transaction } from "../store/index.ts";
import type { OpenAlert } from "./incidents.ts";

/** Ended alerts kept for each ecosystem. */
const MOST_KEPT = 2_000;

type Ended = { eco: string; id: string; text: string; at: number; isReported: number };
/** Marks the end for mailing only if an email has reported the opening, by the row as it stands when it is updated. */
const endAlertStatement = statement<Ended>("end_alert")((db, p) =>
  db
    .updateTable("alerts")
    .set((of) => ({
      ended_at: p.at,
      end_text: p.text,
      mail: of
        .case()
        .when(of.and([of("told", "=", 1), of(of.val(p.isReported), "=", 1)]))
        .then("ended")
        .else(null)
        .end(),
    }))
    .where("ecosystem_id", "=", p.eco)
    .where("id", "=", p.id)
    .where("ended_at", "is", null),
);
const keptUntil = statement<{ eco: string; skip: number }>("last_kept_alert")((db, p) =>
  db
    .selectFrom("alerts")
    .select("ended_at")
    .where("ecosystem_id", "=", p.eco)
    .where("ended_at", "is not", null)
    .orderBy("ended_at", "desc")
    .limit(1)
    .offset(p.skip),
);
const dropUntil = statement<{ eco: string; at: number }>("drop_old_alerts")((db, p) =>
  db.deleteFrom("alerts").where("ecosystem_id", "=", p.eco).where("ended_at", "<=", p.at),
);

export interface AlertPart {
  /** Begins after this ID, in the page's order; "" at the start. */
  readonly after: string;
  readonly order: "oldest" | "newest";
  readonly limit: number;
}

export interface AlertFilter {
  readonly state: "open" | "ended" | undefined;
  readonly environmentId: string | undefined;
}

export async function insertAlert(tx: Transaction, row: AlertRow): Promise<void> {
  await tx.change(tx.build.insertInto("alerts").values(row));
}

/** @param isReported whether the end is mailed, if the opening was @returns whether the alert was open */
export async function endAlert(
  tx: Transaction,
  row: AlertRow,
  end: { readonly text: string; readonly at: number; readonly isReported: boolean },
): Promise<boolean> {
  const { ecosystem_id: eco, id } = row;
  return (
    (await tx.run(endAlertStatement, { eco, id, text: end.text, at: end.at, isReported: end.isReported ? 1 : 0 })) > 0
  );
}

/** Deletes the oldest ended alerts beyond the limit. */
export async function boundAlerts(tx: Transaction, eco: string): Promise<void> {
  const last = await one(tx.all(keptUntil, { eco, skip: MOST_KEPT }));
  if (last?.ended_at) await tx.run(dropUntil, { eco, at: last.ended_at });
}

/** Open alerts of these subjects. */
export function openAlertsOf(sql: Sql, eco: string, subjectIds: readonly string[]): Promise<AlertRow[]> {
  return sql.query(
    sql.build
      .selectFrom("alerts")
      .selectAll()
      .where("ecosystem_id", "=", eco)
      .where("subject_id", "in", subjectIds)
      .where("ended_at", "is", null)
      .orderBy("id"),
  );
}

export function listAlerts(sql: Sql, eco: string, filter: AlertFilter, part: AlertPart): Promise<AlertRow[]> {
  const isNewest = part.order === "newest";
  let query = sql.build.selectFrom("alerts").selectAll().where("ecosystem_id", "=", eco);
  if (part.after !== "") query = query.where("id", isNewest ? "<" : ">", part.after);
  if (filter.environmentId !== undefined) query = query.where("environment_id", "=", filter.environmentId);
  if (filter.state !== undefined) query = query.where("ended_at", filter.state === "open" ? "is" : "is not", null);
  return sql.query(query.orderBy("id", isNewest ? "desc" : "asc").limit(part.limit));
}

/** An open alert with its row, for callers that update it. */
export function openAlert(row: AlertRow): OpenAlert & { readonly row: AlertRow } {
  return {
    row,
    id: row.id,
    // Trusted: the column holds the kind of a verdict.
    kind: row.kind as AlertKind,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    openedAt: row.opened_at,
  };
}

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
