/** Mailing of alerts: whether it is time, which alerts wait, and the text of the email. The decisions are pure. */
import type { AlertSettings, QuietHours } from "@porchlight/shared/api";
import { SERVICE_TIMES, timeWords, withTimes } from "@porchlight/shared/presentation";
import { type AlertRow, statement, type Transaction } from "../store/index.ts";

/** Interval between two alert emails to one account, ms: alerts that open and end meanwhile share the next email. */
export const BETWEEN_EMAILS = SERVICE_TIMES.betweenAlertEmails;

/**
 * `wait`: the alerts stay, and one that ends before it was mailed is never mailed; `drop`: the account wants no emails.
 * @param mailedAt time of the last alert email, wall clock, ms; null: never
 */
export function decideMailing(settings: AlertSettings, mailedAt: number | null, now: number): "send" | "wait" | "drop" {
  if (!settings.email) return "drop";
  if (isQuiet(settings.quietHours, now)) return "wait";
  // A clock that was set back does not delay alerts for long.
  const sinceLast = mailedAt === null ? BETWEEN_EMAILS : now - mailedAt;
  return sinceLast >= 0 && sinceLast < BETWEEN_EMAILS ? "wait" : "send";
}

/**
 * Whether the quiet hours apply, by local time in their time zone, so that daylight saving time needs no rule of its own. The end
 * is exclusive. An hour that occurs twice is treated alike both times; a limit in a skipped hour takes effect right after it.
 * @param now wall clock, ms
 */
export function isQuiet(quiet: QuietHours | null, now: number): boolean {
  if (!quiet) return false;
  const shown = clockAt(quiet.timeZone, now);
  const { start, end } = quiet;
  return start < end ? shown >= start && shown < end : shown >= start || shown < end;
}

/** Local time as `HH:MM`, which sorts. */
function clockAt(timeZone: string, now: number): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    now,
  );
}

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

/** Marks of alerts that wait to be mailed, and of those that were mailed. */
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
export async function markOpeningMailed(tx: Transaction, alerts: readonly WaitingAlert[]): Promise<void> {
  for (const [eco, those] of Map.groupBy(alerts, (alert) => alert.ecosystem_id))
    await tx.change(
      tx.build.updateTable("alerts").set({ told: 1 }).where("ecosystem_id", "=", eco).where("id", "in", idsOf(those)),
    );
}

function idsOf(alerts: readonly WaitingAlert[]): string[] {
  return alerts.map(({ id }) => id);
}

/** A plain text with its subject line. */
export interface AlertEmail {
  readonly subject: string;
  readonly text: string;
}

/** An alert to report, opened or ended. */
interface MailedAlert {
  readonly text: string;
  /** When it opened, or ended. Wall clock, ms. */
  readonly at: number;
}

/** Alerts of one kind that are listed individually; the rest are counted. */
const MOST_LISTED = 50;

interface EmailParts {
  /** URL of the service, without `/api`. */
  readonly url: string;
  /** IANA name of the account's time zone; UTC without one. */
  readonly timeZone: string | undefined;
  readonly opened: readonly MailedAlert[];
  readonly ended: readonly MailedAlert[];
}

/** Texts of the emails about alerts: one email for all that opened and ended since the last. */
export function alertEmail({ url, timeZone, ...alerts }: EmailParts): AlertEmail {
  const wordsOf = (ms: number) => timeWords(ms, timeZone);
  const worded = (alerts: readonly MailedAlert[]) =>
    alerts.map(({ text, at }) => ({ at: wordsOf(at), text: withTimes(oneLine(text), wordsOf) }));
  const [opened, ended] = [worded(alerts.opened), worded(alerts.ended)];
  const parts = [part("Opened", opened), part("Ended", ended)].filter((each) => each !== "");
  const text = `Alerts of your account at
${url}

${parts.join("\n")}
See all alerts and change alert settings: ${url}/alerts
`;
  return { subject: subjectOf(opened, ended), text };
}

export function testEmail(url: string): AlertEmail {
  return {
    subject: "Test alert",
    text: `This is a test alert of your account at
${url}

Nothing is wrong. Alerts are sent to this address.
Change alert settings: ${url}/alerts
`,
  };
}

/** An alert on one line, with its times in words. */
interface Worded {
  readonly at: string;
  readonly text: string;
}

function part(heading: string, alerts: readonly Worded[]): string {
  if (alerts.length === 0) return "";
  const lines = alerts.slice(0, MOST_LISTED).map(({ text, at }) => `- ${at}: ${text}`);
  const rest = alerts.length - lines.length;
  return `${heading}:\n${lines.join("\n")}\n${rest > 0 ? `and ${rest} more\n` : ""}`;
}

function subjectOf(opened: readonly Worded[], ended: readonly Worded[]): string {
  const [first] = opened.length > 0 ? opened : ended;
  if (first && opened.length + ended.length === 1)
    return `${opened.length > 0 ? "Alert" : "Alert ended"}: ${first.text}`;
  const counts = [
    ...(opened.length > 0 ? [`${opened.length} opened`] : []),
    ...(ended.length > 0 ? [`${ended.length} ended`] : []),
  ];
  return `Alerts: ${counts.join(", ")}`;
}

/** Replaces line breaks, so that a name chosen by a user adds no lines. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
