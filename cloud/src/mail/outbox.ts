/**
 * The outbox: an email is stored in the job of its cause, so that it is sent exactly if that is committed.
 * Emails are sealed, because they may contain codes, and bounded in number: one without room is refused, never dropped.
 */
import { NamedError } from "@porchlight/shared/kernel";
import { type Keyring, sealedColumn } from "../access/index.ts";
import { one, statement, type Transaction } from "../store/index.ts";

/** Maximum waiting emails: enough for an outage of days, and not for a flood. */
const MOST_WAITING = 10_000;
/** Time after which a notice is not worth sending, ms: 5 days. */
const NOTICE_LIFE = 5 * 86_400_000;

type NewRow = { id: string; account: string; sealed: string; now: number; end: number };
const insertEmail = statement<NewRow>("insert_letter")((db, p) =>
  db.insertInto("letters").values({
    id: p.id,
    account_id: p.account,
    sealed: p.sealed,
    attempts: 0,
    next_at: p.now,
    expires_at: p.end,
    created_at: p.now,
  }),
);
const emailPastBound = statement<{ bound: number }>("letter_past_bound")((db, p) =>
  db.selectFrom("letters").select("id").orderBy("id").limit(1).offset(p.bound),
);
const contactOf = statement<{ id: string }>("contact_of_account")((db, p) =>
  db.selectFrom("accounts").select("email").where("id", "=", p.id).where("verified_at", "is not", null),
);

export interface OutboxDeps {
  readonly keyring: Keyring;
  /** Smaller in tests. */
  readonly mostWaiting?: number;
}

export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #listeners = new Set<() => void>();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** Notifies after each commit that has stored an email. Returns how to unsubscribe. */
  onPut(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Stores an email to an account, in the job of its cause. An unverified address gets nothing.
   * @returns whether it will be sent
   * @throws "Service Unavailable" when too many emails wait
   */
  async notify(tx: Transaction, accountId: string, { subject, text }: Notice): Promise<boolean> {
    const contact = await one(tx.all(contactOf, { id: accountId }));
    if (!contact) return false;
    await this.post(tx, { accountId, to: contact.email, subject, text, lifeMs: NOTICE_LIFE });
    return true;
  }

  /** Stores an email to an address, verified or not. @throws "Service Unavailable" when too many emails wait */
  async post(tx: Transaction, message: NewEmail): Promise<void> {
    const { keyring, mostWaiting = MOST_WAITING } = this.#deps;
    if (await one(tx.all(emailPastBound, { bound: mostWaiting - 1 })))
      throw new NamedError("Service Unavailable", "Too many e-mails are waiting to be sent.", { retryAfter: 60 });
    // IDs sort in the order of writing.
    const id = tx.ids.next("dlv").slice("dlv_".length);
    const sealed = keyring.seal(emailPurpose(id), messageText(message));
    const now = tx.now();
    await tx.run(insertEmail, { id, account: message.accountId, sealed, now, end: now + message.lifeMs });
    tx.afterCommit(() => {
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Waiting emails, for sealing with a new key. */
export const SEALED_EMAILS = sealedColumn({ table: "letters", column: "sealed", key: ["id"], purpose: emailPurpose });

/** The purpose that an email is sealed for. */
export function emailPurpose(id: string): string {
  return `letter ${id}`;
}

/** An email to an account's own address, if that is verified. */
export interface Notice {
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** An email as it is stored in the outbox. */
interface NewEmail extends Notice {
  readonly accountId: string;
  /** Undefined: no account. It causes the same work as any other email, and is not sent. */
  readonly to: string | undefined;
  /** Time after which it is not worth sending, ms. */
  readonly lifeMs: number;
}

/** An email as a transport gets it. */
export interface EmailMessage extends Notice {
  readonly id: string;
  readonly accountId: string;
  readonly to: string;
  /** Wall clock, ms. */
  readonly writtenAt: number;
}

/** The text of an email that is sealed. */
function messageText({ to, subject, text }: Pick<NewEmail, "to" | "subject" | "text">): string {
  return JSON.stringify([to ?? null, oneLine(subject), text]);
}

/** @param sealedText result of {@link messageText} @returns undefined when it has no receiver */
export function readMessageText(sealedText: string): (Notice & { readonly to: string }) | undefined {
  const [to, subject, text]: (string | null)[] = JSON.parse(sealedText);
  return to ? { to, subject: subject ?? "", text: text ?? "" } : undefined;
}

/**
 * Removes line breaks and other control characters, and limits the length to a header line's: text that users chose
 * must never become a header.
 */
function oneLine(subject: string): string {
  return subject
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, 200);
}

const PARTS = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

/** A time in the format of an email header (RFC 5322, section 3.3). */
export function mailDate(ms: number): string {
  const part = Object.fromEntries(PARTS.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { weekday, day, month, year, hour, minute, second } = part;
  return `${weekday}, ${day} ${month} ${year} ${hour}:${minute}:${second} +0000`;
}
