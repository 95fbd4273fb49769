/** What goes out by mail, and what may stand in its head: a name or an address that people chose must never become a header. */

/** To an account's own address, when that has been verified. */
export interface Notice {
  /** One line. */
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** An email as it is put into the outbox. */
export interface NewEmail extends Notice {
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
export function messageText({ to, subject, text }: Pick<NewEmail, "to" | "subject" | "text">): string {
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
