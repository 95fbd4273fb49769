/** Kinds of alert in words, and where their subjects are shown. Pure. */
import type { Alert } from "@porchlight/shared/api";
import { withTimes } from "@porchlight/shared/presentation";

const KINDS: Readonly<Record<string, string>> = {
  hub_offline: "Hub offline",
  battery_low: "Battery low",
  webhook_failing: "Webhook failing",
  quota_near: "Quota near its limit",
};

/** A newer service may have kinds of which this page does not know. */
export function kindWords(kind: string): string {
  return KINDS[kind] ?? kind.replaceAll("_", " ");
}

/** What a way to a subject is called. */
export function subjectWords(type: Alert["subject"]["type"]): string {
  return type === "quota" ? "Show usage" : `Show ${type}`;
}

/** Address of the page of what an alert is about; undefined when there is none. */
export function subjectAddress(alert: Pick<Alert, "subject" | "environmentId" | "ecosystemId">): string | undefined {
  const { subject, environmentId, ecosystemId } = alert;
  switch (subject.type) {
    case "hub":
      return environmentId && `/environments/${environmentId}/hubs/${subject.id}`;
    case "device":
      return environmentId && `/environments/${environmentId}/devices/${subject.id}`;
    case "webhook":
      return `/ecosystems/${ecosystemId}/webhooks/${subject.id}`;
    case "quota":
      return `/ecosystems/${ecosystemId}/usage`;
    default:
      return undefined;
  }
}

/**
 * A text of the service with its times in the reader's own zone, to the minute.
 * @param locale the browser's when left out
 * @param timeZone likewise
 */
export function alertText(text: string, locale?: string, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  return withTimes(text, (ms) => format.format(ms));
}
