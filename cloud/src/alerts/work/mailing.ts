/** The job that mails one account what waits: marked as mailed in the transaction that puts the email into the outbox, so that it is mailed once. */
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
  readonly outbox: AlertOutbox;
  readonly serviceUrl: () => string;
}

/** @throws "Service Unavailable" */
export async function mailAccount({ store, outbox, serviceUrl }: MailingDeps, account: string): Promise<void> {
  await store.writeService(async (tx) => {
    // Of two nodes that mail one account the second finds it done.
    if (!(await lockAccount(tx, account))) return;
    const { settings, mailedAt } = await accountAlerts(tx, account);
    const decision = decideMailing(settings, mailedAt, tx.now());
    if (decision === "wait") return;
    const marked = await markMailed(tx, await waitingAlerts(tx, account));
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
