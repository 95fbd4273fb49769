/** The emails about alerts: one for all that opened and ended since the last one. */
import { formatTime } from "@porchlight/shared/api";

/** Plain text under one line. */
export interface AlertEmail {
  readonly subject: string;
  readonly text: string;
}

/** An alert that opened, or one that ended. */
export interface ToldAlert {
  readonly text: string;
  /** When it opened, or ended. Wall clock, ms. */
  readonly at: number;
}

/** Alerts of one kind that are listed one by one; the rest are counted. */
const MOST_LISTED = 50;

/** @param url the service's address, without `/api` */
export function alertEmail(url: string, opened: readonly ToldAlert[], ended: readonly ToldAlert[]): AlertEmail {
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

function part(heading: string, told: readonly ToldAlert[]): string {
  if (told.length === 0) return "";
  const lines = told.slice(0, MOST_LISTED).map(({ text, at }) => `- ${formatTime(at)}  ${oneLine(text)}`);
  const rest = told.length - lines.length;
  return `${heading}:\n${lines.join("\n")}\n${rest > 0 ? `and ${rest} more\n` : ""}`;
}

function subjectOf(opened: readonly ToldAlert[], ended: readonly ToldAlert[]): string {
  const [first] = opened.length > 0 ? opened : ended;
  if (first && opened.length + ended.length === 1)
    return `${opened.length > 0 ? "Alert" : "Alert ended"}: ${oneLine(first.text)}`;
  const counts = [
    ...(opened.length > 0 ? [`${opened.length} opened`] : []),
    ...(ended.length > 0 ? [`${ended.length} ended`] : []),
  ];
  return `Alerts: ${counts.join(", ")}`;
}

/** A name that people chose adds no lines. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
