/** Texts of the emails about alerts: one email for all that opened and ended since the last. */
import { timeWords, withTimes } from "@porchlight/shared/presentation";

/** A plain text with its subject line. */
export interface AlertEmail {
  readonly subject: string;
  readonly text: string;
}

/** An alert to report, opened or ended. */
export interface ToldAlert {
  readonly text: string;
  /** When it opened, or ended. Wall clock, ms. */
  readonly at: number;
}

/** Alerts of one kind that are listed individually; the rest are counted. */
const MOST_LISTED = 50;

export interface EmailParts {
  /** URL of the service, without `/api`. */
  readonly url: string;
  /** IANA name of the account's time zone; UTC without one. */
  readonly timeZone: string | undefined;
  readonly opened: readonly ToldAlert[];
  readonly ended: readonly ToldAlert[];
}

export function alertEmail({ url, timeZone, ...told }: EmailParts): AlertEmail {
  const wordsOf = (ms: number) => timeWords(ms, timeZone);
  const worded = (alerts: readonly ToldAlert[]) =>
    alerts.map(({ text, at }) => ({ at: wordsOf(at), text: withTimes(oneLine(text), wordsOf) }));
  const [opened, ended] = [worded(told.opened), worded(told.ended)];
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

function part(heading: string, told: readonly Worded[]): string {
  if (told.length === 0) return "";
  const lines = told.slice(0, MOST_LISTED).map(({ text, at }) => `- ${at}: ${text}`);
  const rest = told.length - lines.length;
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
