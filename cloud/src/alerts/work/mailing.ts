/**
 * The job that mails one account what waits: marked as mailed in the transaction that puts the email into the outbox, so that it is mailed
 * once. An alert that no email can tell of is marked too, and stays in the list of alerts.
 */
import type { Log } from "@porchlight/shared/kernel";
import { lockAccount } from "../../access/index.ts";
import type { Store, Transaction } from "../../store/index.ts";
import { type AlertEmail, alertEmail } from "../decisions/email-text.ts";
import { decideMailing } from "../decisions/mailing.ts";
import { markMailed, markTold, type WaitingAlert, waitingAlerts } from "../rows/mail-marks.ts";
import { accountAlerts, noteMailed } from "../rows/settings-store.ts";

export interface AlertOutbox {
  /** Writes to an account's own address, when that has been verified. @returns whether it will be sent @throws "Service Unavailable" */
  notify(tx: Transaction, accountId: string, email: AlertEmail): Promise<boolean>;
}

export interface MailingDeps {
  readonly store: Store;
  readonly log: Log;
  readonly outbox: AlertOutbox;
  readonly serviceUrl: () => string;
}

/** @throws "Service Unavailable" */
export async function mailAccount(deps: MailingDeps, account: string): Promise<void> {
  const { store, log } = deps;
  const waiting = await store.writeService((tx) => waitingAlerts(tx, account));
  await store.setAside.each(waiting, {
    ...{ loop: "alert_emails", log, about: ({ ecosystem_id, id }) => ({ ecosystem: ecosystem_id, alert: id }) },
    work: (alerts) => mail(deps, account, alerts),
    aside: (alert) => store.writeService((tx) => markMailed(tx, [alert])),
  });
}

async function mail({ store, outbox, serviceUrl }: MailingDeps, account: string, alerts: readonly WaitingAlert[]) {
  await store.writeService(async (tx) => {
    // Of two nodes that mail one account the second finds it done.
    if (!(await lockAccount(tx, account))) return;
    const { settings, mailedAt } = await accountAlerts(tx, account);
    const decision = decideMailing(settings, mailedAt, tx.now());
    if (decision === "wait") return;
    const marked = await markMailed(tx, alerts);
    if (decision === "drop" || marked.length === 0) return;
    const opened = marked.filter(({ mail }) => mail === "opened");
    const ended = marked.filter(({ mail }) => mail === "ended");
    const email = alertEmail({
      ...{ url: serviceUrl(), timeZone: settings.quietHours?.timeZone },
      ...{ opened: opened.map(told), ended: ended.map(told) },
    });
    if (!(await outbox.notify(tx, account, email))) return;
    await markTold(tx, opened);
    await noteMailed(tx, account, tx.now());
  });
}

function told({ mail, text, end_text, opened_at, ended_at }: WaitingAlert) {
  return mail === "opened" ? { text, at: opened_at } : { text: end_text ?? text, at: ended_at ?? opened_at };
}
