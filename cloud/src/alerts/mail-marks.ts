/** Marks of alerts that wait to be mailed, and of those that were mailed. */
import { type AlertRow, statement, type Transaction } from "../store/index.ts";

/** Most alerts in one email; the rest go with the next. */
const MOST = 1_000;

export type WaitingAlert = Pick<
  AlertRow,
  "ecosystem_id" | "id" | "mail" | "text" | "end_text" | "opened_at" | "ended_at"
>;

const waiting = statement<{ account: string }>("alerts_to_mail")((db, p) =>
  db
    .selectFrom("alerts as a")
    .innerJoin("ecosystems as x", "x.id", "a.ecosystem_id")
    .select(["a.ecosystem_id", "a.id", "a.mail", "a.text", "a.end_text", "a.opened_at", "a.ended_at"])
    .where("x.account_id", "=", p.account)
    .where("x.gone_at", "is", null)
    .where("a.mail", "is not", null)
    .orderBy("a.ecosystem_id")
    .orderBy("a.id")
    .limit(MOST),
);

export function waitingAlerts(tx: Transaction, account: string): Promise<WaitingAlert[]> {
  return tx.all(waiting, { account });
}

/** Clears the marks. Returns the alerts whose mark was unchanged since it was read: an alert can have ended meanwhile. */
export async function markMailed(tx: Transaction, alerts: readonly WaitingAlert[]): Promise<WaitingAlert[]> {
  const marked: WaitingAlert[] = [];
  for (const [eco, ofEcosystem] of Map.groupBy(alerts, (alert) => alert.ecosystem_id)) {
    for (const [mail, those] of Map.groupBy(ofEcosystem, (alert) => alert.mail)) {
      const rows = await tx.query(
        tx.build
          .updateTable("alerts")
          .set({ mail: null })
          .where("ecosystem_id", "=", eco)
          .where("mail", "=", mail)
          .where("id", "in", idsOf(those))
          .returning("id"),
      );
      const changed = new Set(rows.map(({ id }) => id));
      marked.push(...those.filter(({ id }) => changed.has(id)));
    }
  }
  return marked;
}

/** Marks alerts whose opening was mailed: their end is to be mailed too. */
export async function markTold(tx: Transaction, alerts: readonly WaitingAlert[]): Promise<void> {
  for (const [eco, those] of Map.groupBy(alerts, (alert) => alert.ecosystem_id))
    await tx.change(
      tx.build.updateTable("alerts").set({ told: 1 }).where("ecosystem_id", "=", eco).where("id", "in", idsOf(those)),
    );
}

function idsOf(alerts: readonly WaitingAlert[]): string[] {
  return alerts.map(({ id }) => id);
}
