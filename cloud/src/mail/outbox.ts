/**
 * The outbox: an email is put there in the job that makes it true, so that what was committed is sent and what was not is not.
 * Emails lie sealed, since a code may stand in them, and are bounded in number: what finds no room is refused, never dropped.
 */
import { NamedError } from "@porchlight/shared/kernel";
import { type Keyring, sealedColumn } from "../access/index.ts";
import { one, statement, type Transaction } from "../store/index.ts";

/** Emails that may wait at once: an outage of days, not a flood. */
const MOST_WAITING = 10_000;
/** A notice is worth sending for this long, ms: 5 days. */
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

  /** Told after each commit that has put something in. Gives back how to stop listening. */
  onPut(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Writes to an account, in the job that gives the reason. An address that is not verified gets nothing.
   * @returns whether it will be sent
   * @throws "Service Unavailable" when too many emails wait
   */
  async notify(tx: Transaction, accountId: string, { subject, text }: Notice): Promise<boolean> {
    const contact = await one(tx.all(contactOf, { id: accountId }));
    if (!contact) return false;
    await this.post(tx, { accountId, to: contact.email, subject, text, lifeMs: NOTICE_LIFE });
    return true;
  }

  /** Writes to an address, verified or not. @throws "Service Unavailable" when too many emails wait */
  async post(tx: Transaction, message: NewEmail): Promise<void> {
    const { keyring, mostWaiting = MOST_WAITING } = this.#deps;
    if (await one(tx.all(emailPastBound, { bound: mostWaiting - 1 })))
      throw new NamedError("Service Unavailable", "Too many e-mails are waiting to be sent.", { retryAfter: 60 });
    // In the order in which they were written.
    const id = tx.ids.next("dlv").slice("dlv_".length);
    const sealed = keyring.seal(emailPurpose(id), messageText(message));
    const now = tx.now();
    await tx.run(insertEmail, { id, account: message.accountId, sealed, now, end: now + message.lifeMs });
    tx.afterCommit(() => {
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Emails that wait, to be sealed anew. */
export const SEALED_EMAILS = sealedColumn({ table: "letters", column: "sealed", key: ["id"], purpose: emailPurpose });

/** What an email is sealed for. */
export function emailPurpose(id: string): string {
  return `letter ${id}`;
}

// What goes out by mail, and what may stand in its head: a name or an address that people chose must never become a header.

/** To an account's own address, when that has been verified. */
export interface Notice {
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** An email as it is put into the outbox. */
interface NewEmail extends Notice {
  readonly accountId: string;
  /** Undefined: no account. It makes the same work as any other, and is not sent. */
  readonly to: string | undefined;
  /** How long it is worth sending, ms. */
  readonly lifeMs: number;
}

/** An email as it is handed to a transport. */
export interface EmailMessage extends Notice {
  readonly id: string;
  readonly accountId: string;
  readonly to: string;
  /** Wall clock, ms. */
  readonly writtenAt: number;
}

/** What is sealed of an email. */
function messageText({ to, subject, text }: Pick<NewEmail, "to" | "subject" | "text">): string {
  return JSON.stringify([to ?? null, oneLine(subject), text]);
}

/** @param sealedText what {@link messageText} gave @returns undefined when it has no receiver */
export function readMessageText(sealedText: string): (Notice & { readonly to: string }) | undefined {
  const [to, subject, text]: (string | null)[] = JSON.parse(sealedText);
  return to ? { to, subject: subject ?? "", text: text ?? "" } : undefined;
}

/** Without line breaks and other control characters, and not longer than a head's line may be. */
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

/** A time as the head of an email has it (RFC 5322, section 3.3). */
export function mailDate(ms: number): string {
  const part = Object.fromEntries(PARTS.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { weekday, day, month, year, hour, minute, second } = part;
  return `${weekday}, ${day} ${month} ${year} ${hour}:${minute}:${second} +0000`;
}
